import Arbor
import ArborDevTools
import Testing

@Suite("Secrets in a written test")
struct RedactedTestSourceTests {
  struct Token: Hashable, Sendable, Confidential {
    var text = "hidden"
  }

  struct Own: Equatable, Sendable, SwiftSourceConvertible {
    var token = Token()

    var swiftSource: String { "Own(\(token.text))" }
  }

  struct Raw: Equatable, Sendable, RawRepresentable {
    var token: Token
    var rawValue: String { token.text }

    init(rawValue: String) { token = Token(text: rawValue) }
  }

  struct State: Equatable, Sendable {
    var count = 0
    var token: Token?
    var tokens: [Token] = []
    var keyed: [Token: Int] = [:]
    var own: Own?
    var raw: Raw?
  }

  enum Action: Equatable, Sendable {
    case count
    case set(Int)
    case use(Token)
  }

  private func recording(from state: State = State()) -> Recording<State, Action> {
    Recording<State, Action>(initialState: state) { state, action in
      switch action {
      case .count: state.count += 1
      case .set(0): state.token = Token(text: "hidden-2")
      case .set(1): state.tokens = [Token()]
      case .set(2): state.keyed = [Token(): 1]
      case .set(3): state.own = Own()
      case .set(4): state.raw = Raw(rawValue: "hidden")
      case .set, .use: break
      }
    }
  }

  private func error(_ recording: Recording<State, Action>) -> SwiftSourceError? {
    let error = #expect(throws: SwiftSourceError.self) { try recording.testSource(named: "a", store: "store") }
    #expect(error?.description.contains("hidden\"") == false && error?.description.contains("hidden-2") == false)
    return error
  }

  @Test(arguments: [
    (0, "state.token"), (1, "state.tokens[0]"), (2, "state.keyed[…]"), (3, "state.own"), (4, "state.raw"),
  ])
  func `a confidential value is an error with its path`(number: Int, path: String) throws {
    var recording = recording()
    try recording.perform(.set(number))
    #expect(error(recording)?.path == path)
  }

  @Test func `a confidential value in an action is an error with its path`() throws {
    var recording = recording()
    try recording.perform([.count, .use(Token())])
    #expect(error(recording)?.path == "steps[1].action.use")
  }

  @Test func `a changing part of a confidential value is an error, too`() throws {
    var recording = recording(from: State(token: Token(), raw: Raw(rawValue: "a")))
    try recording.perform(.set(0))
    #expect(error(recording)?.path == "state.token")
  }

  @Test func `the first state is only written if the store is made from it`() throws {
    var recording = recording(from: State(token: Token()))
    try recording.perform(.count)
    #expect(try recording.testSource(named: "a", store: "store").contains("$0.count = 1"))
    let error = #expect(throws: SwiftSourceError.self) { try recording.testSource(named: "a") }
    #expect(error?.path == "state.token")
  }

  @Test func `the replacement of a value is written like the value`() throws {
    var recording = recording(from: State(token: Token()))
    try recording.perform([.use(Token()), .set(0), .count])
    let source = try recording.testSource(
      named: "a",
      redacting: [.value(\.token, replacedBy: nil), .action { if case .use = $0 { $0 = .set(7) } }]
    )
    #expect(source.contains("store.send(.set(7))") && source.contains("store.send(.set(0))"))
    #expect(!source.contains("hidden") && !source.contains("Token"))
  }
}
