import Arbor
import ArborTesting
import TestSupport
import Testing

/// Tasks of an optional scope that callbacks start while waiting actions replace the scope's value.
@Suite("Tasks of a scope whose value is replaced")
struct ExchangedValueTests {
  private struct Editor: Identifiable, Sendable {
    let id: Int
  }

  private enum Action: Sendable, Equatable {
    case start
    case open(Int?)
    case edited
  }

  private let executor = ManualExecutor()

  private func makeFactory(
    interceptor: (@Sendable (Action, @escaping @Sendable (Action) -> Void) -> Void)? = nil
  ) -> StoreFactory<Editor?, Action> {
    StoreFactory(
      initialState: Editor(id: 1),
      interceptor: interceptor,
      settings: TreeSettings(executor: executor)
    ) { editor, action in
      if case .open(let id) = action { editor = id.map { Editor(id: $0) } }
    }
  }

  private func editor(of store: Store<Editor?, Action>) -> Store<Editor, Int> {
    store.scope(toOptional: { $0 }, action: { _ in .edited })
  }

  private func start(_ key: String, in editor: Store<Editor, Int>) {
    editor.task(key: key) { _ in await cancellation() }
  }

  /// Starts a task in an observer's call for a state.
  private func startTask(as id: Int, in editor: Store<Editor, Int>, _ key: String) {
    editor.subscribe(
      observer: Observer { [self] state in
        guard state.id == id else { return .active }
        start(key, in: editor)
        return .dead
      }
    )
  }

  @Test(arguments: [true, false])
  func `F3 a waiting action that replaces the value cancels a task that a callback started before`(
    isAnotherRunning: Bool
  ) {
    let factory = makeFactory()
    let editor = editor(of: factory.rootStore())
    if isAnotherRunning {
      start("another", in: editor)
      executor.run()
    }
    startTask(as: 1, in: editor, "task")
    factory.dispatch(.open(2))
    executor.run()
    #expect(!editor.isRunning("task"))
    #expect(!editor.isRunning("another"))
  }

  @Test func `F3 a waiting action that removes the value cancels a task that a callback started before`() {
    let factory = makeFactory()
    let editor = editor(of: factory.rootStore())
    startTask(as: 1, in: editor, "task")
    factory.dispatch(.open(nil))
    factory.dispatch(.open(1))
    executor.run()
    #expect(!editor.isRunning("task"))
  }

  @Test func `F3 a task that an observer of the replacement has started belongs to the new value`() {
    let factory = makeFactory()
    let editor = editor(of: factory.rootStore())
    startTask(as: 2, in: editor, "task")
    factory.dispatch(.open(2))
    executor.run()
    #expect(editor.isRunning("task"))
    factory.dispatch(.open(3))
    executor.run()
    #expect(!editor.isRunning("task"))
  }

  @Test(arguments: [[Action.open(2)], [.open(nil), .open(1)]])
  private func `F3 a task of a callback sees waiting actions, even if another task was started after them`(
    actions: [Action]
  ) {
    let factory = makeFactory()
    let editor = editor(of: factory.rootStore())
    startTask(as: 1, in: editor, "task")
    for action in actions { factory.dispatch(action) }
    start("another", in: editor)
    executor.run()
    #expect(!editor.isRunning("task"))
    #expect(editor.isRunning("another"))
  }

  @Test func `F3 a task whose value is gone in its turn is canceled without a further step`() {
    let factory = makeFactory()
    let editor = editor(of: factory.rootStore())
    start("another", in: editor)
    executor.run()
    factory.dispatch(.open(nil))
    factory.rootStore().subscribe(observer: Observer { _ in .active })
    start("task", in: editor)
    executor.run()
    #expect(!editor.isRunning("task"))
    #expect(!editor.isRunning("another"))
  }
}
