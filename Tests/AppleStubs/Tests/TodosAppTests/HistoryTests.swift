import Arbor
import ArborEntities
import ArborTesting
import ArborUI
import SwiftUI
import Testing

@testable import TodosApp

@MainActor
struct HistoryTests {
  let program = RunningProgram("milk", "bread")
  var undo: UndoButton { UndoButton(store: program.store) }
  var redo: RedoButton { RedoButton(store: program.store) }

  @Test func `a change is undone and redone`() {
    #expect(!undo.isEnabled && !redo.isEnabled)
    program.list.remove(at: [0])
    #expect(undo.isEnabled && !redo.isEnabled)
    program.store.send(.undo)
    #expect(program.shown == ["milk", "bread"])
    #expect(!undo.isEnabled && redo.isEnabled)
    program.store.send(.redo)
    #expect(program.shown == ["bread"])
  }

  @Test func `undo does nothing when there is nothing to undo`() {
    program.store.send(.undo)
    program.store.send(.redo)
    #expect(program.factory.state.app.list.todos.map(\.text) == ["milk", "bread"])
  }

  @Test func `each of two quick undos reverts a separate change`() {
    program.list.remove(at: [0, 1])
    #expect(program.shown.isEmpty)
    // Both come before the first is reduced: neither can know the change of the other.
    program.store.dispatch(.undo)
    program.store.dispatch(.undo)
    program.executor.run()
    #expect(program.shown == ["milk", "bread"])
    #expect(!undo.isEnabled)
  }

  @Test func `a button is redrawn when it becomes enabled, and not with each change`() {
    let redraws = Redraws { _ = undo.body }
    program.store.send(.app(.list(.done(id: 1))))
    #expect(redraws.count == 1)
    let enabled = Redraws { _ = undo.body }
    program.store.send(.app(.list(.done(id: 2))))
    #expect(enabled.count == 0)
  }
}
