import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Features whose part ends during a step")
struct ExchangedPartTests {
  private struct Editor: Identifiable, Sendable {
    let id: Int
    var edits = 0
  }

  private struct Whole: Sendable {
    var editor: Editor? = Editor(id: 1)
  }

  private enum Action: Sendable {
    case edit
    case editAndOpen(Int?)

    /// Every action is an edit.
    var asEdit: Void? { () }
  }

  private let executor = ManualExecutor()
  private let log = RecordedValues<String>()

  private func factory(reduces: Bool) -> StoreFactory<Whole, Action> {
    let edit: Reducer<Editor, Void> = { editor, _ in editor.edits += 1 }
    let editor = Feature<Editor, Void>(
      effects: { [log] editor, _ in
        log.append("asked about \(editor.id)")
        return .none
      },
      reducer: reduces ? edit : nil
    )
    return StoreFactory(
      initialState: Whole(),
      feature: .combined(
        editor.scoped(toOptional: \Whole.editor, action: { _ in Action.edit }, extract: \.asEdit),
        Feature { whole, action in
          if case .editAndOpen(let id) = action { whole.editor = id.map { Editor(id: $0) } }
        }
      ),
      settings: TreeSettings(executor: executor)
    )
  }

  @Test(arguments: [true, false])
  func `F3 effects are not requested for a part that was replaced after its reducer`(reduces: Bool) {
    let factory = factory(reduces: reduces)
    for action in [Action.edit, .editAndOpen(2), .edit, .editAndOpen(nil), .edit, .editAndOpen(3), .edit] {
      factory.dispatch(action)
    }
    executor.run()
    #expect(log.values == ["asked about 1", "asked about 2", "asked about 3"])
    #expect(factory.state.editor?.edits == (reduces ? 1 : 0))
  }

  @Test func `F1 extracted actions of a part's features are released if the part is removed before them`() {
    struct Inner: Sendable { var count = 0 }
    struct Outer: Sendable { var inner = Inner() }
    struct Whole: Sendable { var outer: Outer? = Outer() }
    struct Message: Sendable { var object: Object? }

    let inner = Feature<Inner, Message>(
      interceptors: [Interceptor { _, _ in .pass }], effects: { _, _ in .none },
      reducer: { state, _ in state.count += 1 })
    let outer = Feature<Outer, Message>.combined(inner.scoped(to: \.inner, action: { $0 }, extract: { $0 }))
    let factory = StoreFactory<Whole, Message>(
      initialState: Whole(),
      feature: .combined(
        Feature { whole, _ in whole.outer = nil },
        outer.scoped(toOptional: \.outer, action: { $0 }, extract: { $0.object == nil ? nil : $0 })
      ),
      settings: TreeSettings(executor: executor)
    )
    weak let freed: Object?
    do {
      let object = Object()
      freed = object
      factory.dispatch(Message(object: object))
    }
    executor.run()
    let isFreed = freed == nil
    #expect(isFreed)
    withExtendedLifetime(factory) {}
  }
}
