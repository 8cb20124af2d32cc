import Arbor
import ArborDevTools
import Testing

@Suite("Secrets in a live recording")
struct LiveRedactionTests {
  typealias State = RecordingOutputTests.State
  typealias Action = RecordingOutputTests.Action

  private let recorder: Recorder<State, Action>
  private let factory: StoreFactory<State, Action>

  init() {
    recorder = Recorder(checkpointInterval: 2)
    factory = StoreFactory(initialState: State(), settings: TreeSettings(monitors: [recorder])) { state, action in
      switch action {
      case .add(let item): state.items.append(item)
      case .signIn(_, let password): state.password = password
      case .use(let token): state.token = token
      }
    }
  }

  /// Performs an example of everything that has messages, and returns their text.
  private func text(of live: LiveRecording<State, Action>) throws -> String {
    var browser = LiveBrowser()
    try browser.pull(live)
    factory.dispatchAndWait(.signIn(name: "Ann", password: "hidden-1"))
    factory.dispatchAndWait(.use(RecordingOutputTests.Token(text: "hidden-2")))
    #expect(try browser.pull(live) == ["entries"])
    try recorder.toggle(2)
    #expect(try browser.pull(live) == ["recording", "position"])
    recorder.resume()
    for _ in 1...10 { factory.dispatchAndWait(.signIn(name: "Ann", password: "hidden-3")) }
    #expect(try browser.pull(live) == ["recording", "position"])
    for _ in 1...10 { factory.dispatchAndWait(.signIn(name: "Ann", password: "hidden-4")) }
    #expect(try browser.pull(live) == ["skipped", "recording", "position"])
    return browser.text
  }

  @Test func `no message contains values that the rules hide`() throws {
    let text = try text(
      of: LiveRecording(recorder, redacting: RecordingOutputTests.redactions, entryLimit: 5)
    )
    #expect(!text.contains("hidden-"))
    #expect(text.contains("Ann") && text.contains("redacted"))
  }

  @Test func `without rules, messages contain everything except confidential values`() throws {
    let text = try text(of: LiveRecording(recorder, entryLimit: 5))
    for secret in ["hidden-1", "hidden-3", "hidden-4", "hidden-password"] { #expect(text.contains(secret)) }
    for secret in ["hidden-2", "hidden-token"] { #expect(!text.contains(secret)) }
  }
}
