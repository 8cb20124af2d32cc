import Arbor
import ArborEntities
import ArborUI
import SwiftUI
import Testing

@testable import TodosApp

@MainActor
struct TodoListTests {
  @Test func `a row shows if its item is done`() throws {
    let program = RunningProgram("milk", "bread")
    let rows = program.list.rows
    let row = TodoRow(row: try #require(rows[2]))
    #expect(!row.isDone.wrappedValue)
    row.isDone.wrappedValue = true
    #expect(row.isDone.wrappedValue)
    #expect(program.store.app.list.todos.map(\.isDone) == [false, true])
    row.isDone.wrappedValue = false
    #expect(program.store.app.list.todos[2]?.isDone == false)
  }

  @Test func `a row is redrawn only for its item, and the list for no item`() throws {
    let program = RunningProgram("milk", "bread", "salt")
    let rows = program.list.rows
    let views = try rows.ids.map { TodoRow(row: try #require(rows[$0])) }
    let list = Redraws { _ = program.list.body }
    let redraws = views.map { view in Redraws { _ = (view.body, view.isDone.wrappedValue) } }
    views[1].isDone.wrappedValue = true
    #expect(redraws.map(\.count) == [0, 1, 0])
    #expect(list.count == 0)
    program.list.remove(at: [0])
    #expect(redraws.map(\.count) == [0, 1, 0])
    #expect(list.count == 1)
  }

  @Test func `a deleted row keeps its text, and no longer does anything`() throws {
    let program = RunningProgram("milk", "bread")
    let rows = program.list.rows
    let row = TodoRow(row: try #require(rows[1]))
    program.list.remove(at: [0])
    #expect(program.shown == ["bread"])
    #expect(row.row.text == "milk")
    row.isDone.wrappedValue = true
    row.row.send(.edit)
    #expect(!row.isDone.wrappedValue)
    #expect(program.store.editor == nil)
  }

  @Test func `offsets outside the list delete nothing`() {
    let program = RunningProgram("milk", "bread")
    program.list.remove(at: [1, 2])
    #expect(program.shown == ["milk"])
  }

  @Test func `a filter shows the items that match its name`() throws {
    let program = RunningProgram("milk", "bread")
    let rows = program.list.rows
    TodoRow(row: try #require(rows[1])).isDone.wrappedValue = true
    let filter = FilterPicker(store: program.store).filter
    #expect(filter.wrappedValue == .all)
    filter.wrappedValue = .active
    #expect(rows.ids == [2])
    filter.wrappedValue = .done
    #expect(rows.ids == [1])
    // The row leaves the list while it is shown, with its current value.
    let row = TodoRow(row: try #require(rows[1]))
    row.isDone.wrappedValue = false
    #expect(rows.ids == [])
    #expect(!row.isDone.wrappedValue)
  }
}
