import Arbor
import ArborDevTools
import ArborTesting

/// A program whose documents have histories: one of a wrapped feature, and one of a reducer that records by itself.
struct Drafting: Equatable, Sendable {
  var letter = History(Letter(), limit: 3)
  var title: History<String>? = History("")

  struct Letter: Equatable, Sendable {
    var lines: [String] = []
    var isSigned = false
  }

  /// The actions to send, one after the other.
  private static let actions: [DraftAction] = [
    .letter(.typed("Dear")), .letter(.typed("Sir")), .letter(.signed), .undo, .undo, .redo, .letter(.typed("Madam")),
    .letter(.typed("and")), .letter(.typed("Sir")), .letter(.signed), .undo, .forget, .title("A"), .title("Al"),
    .title("A"), .title(""), .title("B"), .undoTitle, .dropTitle,
    .letter(.typed("Dear")), .letter(.signed), .amend("Hi"), .undo, .twice, .limit(2), .letter(.signed),
    .letter(.signed),
    .limit(1), .open("Hello"), .letter(.signed), .nothing,
  ]

  /// The text of a test file that performs all of it.
  static func file() throws -> String {
    let (executor, monitor) = (ManualExecutor(), RunMonitor<Drafting, DraftAction>())
    let factory = StoreFactory(
      initialState: Drafting(),
      feature: drafting,
      settings: TreeSettings(monitors: [monitor], executor: executor)
    )
    for action in actions {
      factory.dispatch(action)
      executor.run()
    }
    var source = TestSource(name: "all of it", initialState: Drafting(), steps: monitor.steps)
    source.makeStore = "TestStore(initialState: …, feature: drafting)"
    return try TestFile(suite: "DraftingTests").text(of: [source.function()])
  }
}

enum DraftAction: Equatable, Sendable {
  case letter(LetterAction)
  case title(String)
  case undo
  case redo
  case forget
  case undoTitle
  case dropTitle
  case limit(Int)
  case open(String)

  /// Changes the first line in all recorded documents.
  case amend(String)

  /// Makes two changes.
  case twice
  case nothing

  var letter: LetterAction? { if case .letter(let action) = self { action } else { nil } }
}

enum LetterAction: Equatable, Sendable {
  case typed(String)
  case signed
}

private let letter = Feature<Drafting.Letter, LetterAction> { letter, action in
  switch action {
  case .typed(let line): letter.lines.append(line)
  case .signed: letter.isSigned.toggle()
  }
}

let drafting = Feature<Drafting, DraftAction>.combined(
  letter.withHistory(grouping: { if case .typed = $0 { "typing" } else { nil } })
    .scoped(to: \.letter, action: DraftAction.letter, extract: \.letter),
  Feature { state, action in
    switch action {
    case .letter, .nothing: break
    case .title(let title):
      state.title?.document = title
      state.title?.record(group: "title")
    case .undo: state.letter.undo()
    case .redo: state.letter.redo()
    case .forget: state.letter.clear()
    case .undoTitle: state.title?.undo()
    case .dropTitle: state.title = nil
    case .limit(let limit): state.letter.limit = limit
    case .amend(let line): state.letter.amend { if !$0.lines.isEmpty { $0.lines[0] = line } }
    case .twice:
      for line in ["one", "two"] {
        state.letter.document.lines.append(line)
        state.letter.record()
      }
    case .open(let line): state.letter = History(Drafting.Letter(lines: [line]), limit: state.letter.limit)
    }
  }
)
