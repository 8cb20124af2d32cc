import Arbor
import ArborTesting
import ArborUI

@testable import TodosApp

/// The program with its list. A test controls its steps and its time.
@MainActor
struct RunningProgram {
  let clock = TestClock()
  let executor = ManualExecutor()
  let factory: StoreFactory<TodosState, TodosAction>
  let list: TodoListView

  /// Starts the program with some items, and without a history.
  ///
  /// - Parameter readTexts: Reads the file of an import, on the test's clock.
  init(
    _ texts: String...,
    readTexts: @escaping @Sendable (TestClock, _ progress: (_ lines: Int) -> Void) async throws -> [String] = { _, _ in
      []
    }
  ) {
    var state = TodosState()
    state.app.list.items = History(Items(todos: .init(texts)), limit: .max)
    state.app.list.nextID = texts.count + 1
    factory = StoreFactory(
      initialState: state,
      feature: todosFeature { [clock] _, progress in try await readTexts(clock, progress) },
      settings: TreeSettings(clock: clock, executor: executor)
    )
    list = TodoListView(store: factory.observable())
  }

  var store: TodosStore { list.store }

  /// The texts of the rows.
  var shown: [String] {
    let rows = list.rows
    return rows.ids.compactMap { id in rows[id]?.text }
  }

  /// Lets time pass, and runs the due work.
  func wait(_ duration: Duration) {
    executor.run()
    clock.advance(by: duration)
    executor.run()
  }
}
