import Arbor
import ArborEntities
import ArborTesting
import Testing

@testable import TodosCore

@Suite struct ListFeatureTests {
  @Test func `a change of an item is undone and redone`() async {
    let store = TestStore(initialState: ListState(), feature: listFeature)
    await store.send(.add(id: 1, text: "a")) {
      $0.items.document = Items(todos: [Todo(id: 1, text: "a")], changedID: 1)
      $0.items.record()
      $0.nextID = 2
    }
    await store.send(.done(id: 1)) {
      $0.items.document.todos = [Todo(id: 1, text: "a", isDone: true)]
      $0.items.record()
    }
    await store.send(.undo(id: 1)) { $0.items.undo() }
    await store.send(.redo(id: 1)) { $0.items.redo() }
    await store.finish()
  }
}
