import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Feature with a history")
struct HistoryFeatureTests {
  private struct Text: Equatable, Sendable {
    var text = ""
    var isBold = false
  }

  private enum TextAction: Sendable {
    case typed(String)
    case bold(Bool)
    case opened(String)
  }

  private static func feature(effects log: RecordedValues<String>? = nil) -> Feature<Text, TextAction> {
    Feature<Text, TextAction>(
      effects: { state, _ in
        log?.append(state.text)
        return .none
      },
      reducer: { state, action in
        switch action {
        case .typed(let text): state.text += text
        case .bold(let isBold): state.isBold = isBold
        case .opened(let text): state = Text(text: text)
        }
      }
    )
  }

  private struct AppState: Equatable, Sendable {
    var text = History(Text())
    var actions = 0
  }

  private enum AppAction: Sendable {
    case text(TextAction)
    case undo
    case redo

    var text: TextAction? { if case .text(let action) = self { action } else { nil } }
  }

  private let log = RecordedValues<String>()
  private let executor = ManualExecutor()

  private func makeFactory() -> StoreFactory<AppState, AppAction> {
    let text = Self.feature(effects: log).withHistory(
      grouping: { action in if case .typed = action { "typing" } else { nil } },
      clearing: { action in if case .opened = action { true } else { false } }
    )
    let app = Feature<AppState, AppAction>.combined(
      text.scoped(to: \.text, action: AppAction.text, extract: \.text),
      Feature { state, action in
        state.actions += 1
        switch action {
        case .undo: state.text.undo()
        case .redo: state.text.redo()
        case .text: break
        }
      }
    )
    return StoreFactory(initialState: AppState(), feature: app, settings: TreeSettings(executor: executor))
  }

  @Test func `the actions of a feature are undone and redone`() {
    let factory = makeFactory()
    factory.dispatchAndWait(.text(.bold(true)))
    factory.dispatchAndWait(.text(.typed("a")))
    factory.dispatchAndWait(.undo)
    #expect(factory.state.text.document == Text(isBold: true))
    factory.dispatchAndWait(.undo)
    #expect(factory.state.text.document == Text())
    factory.dispatchAndWait(.undo)
    factory.dispatchAndWait(.redo)
    factory.dispatchAndWait(.redo)
    #expect(factory.state.text.document == Text(text: "a", isBold: true))
    #expect(factory.state.actions == 7)
  }

  @Test func `actions of a group are undone at once`() {
    let factory = makeFactory()
    for letter in ["a", "b", "c"] { factory.dispatchAndWait(.text(.typed(letter))) }
    factory.dispatchAndWait(.text(.bold(true)))
    factory.dispatchAndWait(.text(.typed("d")))
    factory.dispatchAndWait(.undo)
    factory.dispatchAndWait(.undo)
    #expect(factory.state.text.document == Text(text: "abc"))
    factory.dispatchAndWait(.undo)
    #expect(factory.state.text.document == Text())
  }

  @Test func `an action that changes nothing adds no change to undo`() {
    let factory = makeFactory()
    factory.dispatchAndWait(.text(.bold(true)))
    factory.dispatchAndWait(.text(.bold(true)))
    factory.dispatchAndWait(.undo)
    #expect(!factory.state.text.canUndo)
  }

  @Test func `an action that clears begins a new past`() {
    let factory = makeFactory()
    factory.dispatchAndWait(.text(.typed("a")))
    factory.dispatchAndWait(.text(.opened("new")))
    #expect(!factory.state.text.canUndo)
    factory.dispatchAndWait(.text(.typed("b")))
    factory.dispatchAndWait(.undo)
    #expect(factory.state.text.document == Text(text: "new"))
  }

  @Test func `effects see the document, and are not called for an undo`() {
    let factory = makeFactory()
    factory.dispatchAndWait(.text(.typed("a")))
    factory.dispatchAndWait(.undo)
    #expect(log.values == ["a"])
  }

  @Test func `observers see one state for each action, with its change recorded`() {
    let factory = makeFactory()
    let seen = RecordedValues<String>()
    let subscription = factory.observe { (state: AppState) in
      seen.append("\(state.text.document.text) \(state.text.canUndo) \(state.text.canRedo)")
    }
    factory.dispatchAndWait(.text(.typed("a")))
    factory.dispatchAndWait(.undo)
    factory.dispatchAndWait(.redo)
    #expect(seen.values == [" false false", "a true false", " false true", "a true false"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `commits of a document are undone, no matter which part they change`() {
    let app = Feature<Text, Mutation<Text>>()
      .withHistory(grouping: { mutation in mutation.name == "type" ? mutation.name : nil })
      .scoped(at: \AppState.text)
    let store = CommitStore(initialState: AppState(), feature: app)
    store.scope(at: \.text.document).commit { $0.isBold = true }
    for letter in ["a", "b"] {
      store.scope(at: \.text).scope(at: \.document).scope(at: \.text).commit(named: "type") { $0 += letter }
    }
    #expect(store.state.text.document == Text(text: "ab", isBold: true))
    let text = store.scope(at: \.text)
    text.commit { $0.undo() }
    #expect(store.state.text.document == Text(isBold: true))
    text.commit { $0.undo() }
    #expect(store.state.text.document == Text())
    text.commit { $0.undo() }
    text.commit { $0.redo() }
    store.commit { $0.text.redo() }
    #expect(store.state.text.document == Text(text: "ab", isBold: true))
    #expect(!store.state.text.canRedo)
  }

  @Test func `a commit that clears begins a new past`() {
    let app = Feature<Text, Mutation<Text>>()
      .withHistory(clearing: { $0.name == "open" })
      .scoped(at: \AppState.text)
    let store = CommitStore(initialState: AppState(), feature: app)
    store.scope(at: \.text.document).commit { $0.text = "a" }
    store.scope(at: \.text.document).commit(named: "open") { $0.text = "new" }
    #expect(!store.state.text.canUndo)
    #expect(store.state.text.document == Text(text: "new"))
  }
}
