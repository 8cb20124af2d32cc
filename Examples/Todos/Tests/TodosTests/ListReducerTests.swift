import ArborEntities
import Testing

@testable import TodosCore

@Suite struct ListReducerTests {
  private func reduce(_ actions: ListAction...) throws -> ListState {
    var state = ListState()
    for action in actions {
      try state.check(action)
      listReducer(&state, action)
    }
    return state
  }

  @Test func `items are added with the IDs of their actions`() throws {
    let state = try reduce(.add(id: 1, text: "a"), .import(firstID: 2, texts: ["b", "c"]), .add(id: 4, text: "d"))
    #expect(state.todos.map(\.id) == [1, 2, 3, 4])
    #expect(state.todos.map(\.text) == ["a", "b", "c", "d"])
    #expect(state.nextID == 5)
  }

  @Test func `items are done, undone, edited and removed`() throws {
    let state = try reduce(
      .import(firstID: 1, texts: ["a", "b", "c"]),
      .done(id: 1),
      .done(id: 3),
      .undone(id: 3),
      .edit(id: 3, text: "C"),
      .remove(id: 2)
    )
    #expect(state.todos == [Todo(id: 1, text: "a", isDone: true), Todo(id: 3, text: "C")])
  }

  @Test func `an ID is not used again after its item was removed or undone`() throws {
    #expect(try reduce(.add(id: 1, text: "a"), .remove(id: 1)).nextID == 2)
    #expect(try reduce(.add(id: 1, text: "a"), .undo(id: 1)).nextID == 2)
  }

  @Test func `each undo reverts one more change`() throws {
    let actions: [ListAction] = [
      .add(id: 1, text: "a"),
      .import(firstID: 2, texts: ["b", "c", "d"]),
      .done(id: 2),
      .edit(id: 2, text: "B"),
      .remove(id: 2),
      .remove(id: 4),
    ]
    var state = ListState()
    var earlier: [EntityList<Todo>] = []
    for action in actions {
      earlier.append(state.todos[Todo.byID])
      listReducer(&state, action)
    }
    listReducer(&state, .undone(id: 1))  // it was not done: nothing more to undo

    for todos in earlier.reversed() {
      listReducer(&state, .undo(id: try #require(state.lastChangedID)))
      #expect(state.todos[Todo.byID] == todos)
    }
    #expect(state.lastChangedID == nil)
    #expect(state.nextID == 5)
  }

  @Test func `each redo restores one more change, until something else is changed`() throws {
    var state = try reduce(.import(firstID: 1, texts: ["a", "b"]), .done(id: 1), .edit(id: 2, text: "B"))
    let changed = state.todos
    for _ in 0..<3 { listReducer(&state, .undo(id: try #require(state.lastChangedID))) }
    #expect(state.todos.isEmpty)
    var redone: [Int] = []
    while let id = state.lastUndoneID {
      redone.append(id)
      listReducer(&state, .redo(id: id))
    }
    #expect(redone == [1, 1, 2])
    #expect(state.todos == changed)
    listReducer(&state, .undo(id: 2))
    listReducer(&state, .remove(id: 2))
    #expect(state.lastUndoneID == nil)
  }

  @Test func `an impossible action is refused`() throws {
    let state = try reduce(.add(id: 1, text: "a"))
    #expect(throws: ListError.noItem(id: 2)) { try state.check(.done(id: 2)) }
    #expect(throws: ListError.noItem(id: 2)) { try state.check(.undone(id: 2)) }
    #expect(throws: ListError.noItem(id: 0)) { try state.check(.remove(id: 0)) }
    #expect(throws: ListError.noItem(id: -1)) { try state.check(.edit(id: -1, text: "b")) }
    #expect(throws: ListError.otherID(id: 1, next: 2)) { try state.check(.add(id: 1, text: "b")) }
    #expect(throws: ListError.otherID(id: 3, next: 2)) { try state.check(.import(firstID: 3, texts: ["b"])) }
    #expect(throws: ListError.otherUndo(id: 2, last: 1)) { try state.check(.undo(id: 2)) }
    #expect(throws: ListError.nothingToUndo) { try ListState().check(.undo(id: 1)) }
    #expect(throws: ListError.nothingToRedo) { try state.check(.redo(id: 1)) }
    let undone = try reduce(.add(id: 1, text: "a"), .undo(id: 1))
    #expect(throws: ListError.otherRedo(id: 2, last: 1)) { try undone.check(.redo(id: 2)) }
  }
}
