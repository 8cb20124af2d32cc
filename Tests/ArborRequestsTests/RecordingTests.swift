import Arbor
import ArborDevTools
import ArborRequests
import ArborTesting
import Foundation
import TestSupport
import Testing

@Suite("Recordings of a cache")
struct RecordingTests {
  struct AppState: Codable, Equatable, Sendable {
    var requests = Requests()
  }

  enum AppAction: Codable, Equatable, Sendable {
    case requests(RequestAction)

    var requests: RequestAction? { if case .requests(let action) = self { action } else { nil } }
  }

  struct Card: Codable, Equatable, Sendable, Confidential {
    let number: String
  }

  struct Account: Codable, Equatable, Sendable {
    let name: String
    let cards: [Card]
  }

  let world = RequestWorld()
  let recorder: Recorder<AppState, AppAction>
  let account = Request<Int, Account>("account") { id in Account(name: "Ann", cards: [Card(number: "4929")]) }
  let feature: Feature<AppState, AppAction>
  let factory: StoreFactory<AppState, AppAction>

  init(limit: Int = 100) {
    recorder = Recorder(limit: limit)
    feature = Requests.feature(world.number, world.slow, account, world.add)
      .scoped(to: \.requests, action: AppAction.requests, extract: \.requests)
    factory = StoreFactory(
      initialState: AppState(),
      feature: feature,
      settings: TreeSettings(clock: world.clock, monitors: [recorder], executor: world.executor)
    )
    world.executor.run()
  }

  var store: Store<Requests, RequestAction> {
    factory.rootStore().scope(to: \.requests, action: AppAction.requests)
  }

  func observe<Value>(_ request: Request<Int, Value>, _ id: Int = 1) -> Derived<RequestState<Value>>? {
    defer { world.executor.run() }
    return store.request(request, id)
  }

  func send(_ action: RequestAction) {
    store.dispatch(action)
    world.executor.run()
  }

  /// The first message to a browser, which contains the whole recording.
  func message() throws -> String {
    var cursor = LiveCursor()
    return String(decoding: try #require(LiveRecording(recorder).messages(after: &cursor).first), as: UTF8.self)
  }

  /// Fills the cache with entries in all states.
  func fill() -> [Any?] {
    let observed: [Any?] = [observe(world.number), observe(world.slow), observe(world.number, 2)]
    world.answer("number 1", 5)
    world.answer("slow 1", 3)
    world.pass(2)
    send(.invalidate([RequestTag("parity", 1)]))
    send(world.add.action(.init(amount: 3)))
    send(.becameInactive)
    send(.becameOffline)
    send(.refetch(world.number.id(1)))
    return observed
  }

  /// The stored properties of a value, as texts, without those whose values are texts in a loaded recording.
  func properties(of value: Any, except names: String...) -> [String] {
    Mirror(reflecting: value).children.compactMap { child in
      child.label.flatMap { names.contains($0) ? nil : "\($0): \(child.value)" }
    }
  }

  @Test(arguments: [100, 3])
  func `a recording that begins with an empty or a filled cache is repeated from its file`(limit: Int) throws {
    let tests = RecordingTests(limit: limit)
    let observed = tests.fill()
    let recording = try #require(tests.recorder.recording)
    #expect(recording.base.requests.entries.isEmpty == (limit == 100))
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).arbor.json")
    defer { try? FileManager.default.removeItem(at: file) }
    try recording.write(to: file)
    let loaded = try Recording<AppState, AppAction>(contentsOf: file, feature: feature)
    let rules = RedactionRules<AppState, AppAction>()
    for (loaded, recorded) in [(loaded.base, recording.base), (loaded.state, recording.state)] {
      let parts = [loaded, recorded].map { properties(of: $0.requests, except: "entries", "changes") }
      #expect(parts[0] == parts[1])
      let entries = [loaded, recorded].map { state in
        state.requests.entries.map { properties(of: $0, except: "answer", "patched") }
      }
      #expect(entries[0] == entries[1])
      let isSame = try rules.encoding(loaded) == rules.encoding(recorded)
      #expect(isSame)
    }
    withExtendedLifetime(observed) {}
  }

  @Test func `an answer that is nil comes back from a recording`() throws {
    let owner = Request<Int, Account?>("owner", freshFor: nil) { _ in nil }
    let recorder = Recorder<AppState, AppAction>(limit: 1)
    let feature = Requests.feature(owner).scoped(
      to: \AppState.requests, action: AppAction.requests, extract: \.requests)
    let factory = StoreFactory(
      initialState: AppState(),
      feature: feature,
      settings: TreeSettings(clock: world.clock, monitors: [recorder], executor: world.executor)
    )
    for action in [.prefetch(owner.id(1)), .becameInactive, .becameActive] as [RequestAction] {
      factory.dispatch(.requests(action))
      world.executor.run()
    }
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).arbor.json")
    defer { try? FileManager.default.removeItem(at: file) }
    try recorder.recording?.write(to: file)
    let loaded = StoreFactory(
      initialState: try Recording<AppState, AppAction>(contentsOf: file, feature: feature).state,
      feature: feature,
      settings: TreeSettings(executor: world.executor)
    )
    let observed = loaded.rootStore().scope(to: \.requests, action: AppAction.requests).request(owner, 1)
    world.executor.run()
    #expect((observed?.value.phase, observed?.value.isStale) == (.loaded(nil), false))
  }

  @Test func `a recording shows the parts of a value, and no confidential ones`() throws {
    let observed = observe(account)
    #expect(observed?.value.value?.cards == [Card(number: "4929")])
    let text = try message()
    #expect(text.contains(#""answer"],{"value":{"name":"Ann","cards":[{"$arbor":"redacted"}]}}"#))
    #expect(!text.contains("4929"))
  }

  @Test func `a cache in a state that can't be encoded is recorded with the same keys`() throws {
    struct Plain: Equatable, Sendable {
      var requests = Requests()
    }
    let recorder = Recorder<Plain, AppAction>()
    let factory = StoreFactory<Plain, AppAction>(
      initialState: Plain(),
      feature: Requests.feature(world.number, world.add)
        .scoped(to: \.requests, action: AppAction.requests, extract: \.requests),
      settings: TreeSettings(clock: world.clock, monitors: [recorder], executor: world.executor)
    )
    let store = factory.rootStore().scope(to: \.requests, action: AppAction.requests)
    let observed = store.request(world.number, 1)
    world.executor.run()
    world.pass(2)
    world.answer("number 1", 5)
    store.dispatch(world.add.action(.init(amount: 3)))
    world.executor.run()
    var cursor = LiveCursor()
    let text = String(decoding: try #require(LiveRecording(recorder).messages(after: &cursor).first), as: UTF8.self)
    withExtendedLifetime(observed) {}
    for part in [
      #""requests":{"entries":{},"observers":{},"#,
      #"{"requests":{"_0":{"observed":{"observer":1,"_1":{"name":"number","argument":"1"},"at":"0.0 seconds"}}}}"#,
      #"{"id":1,"current":{"name":"number","argument":"1"},"previous":null}"#,
      #""answer"],{"value":5}]"#,
      #""answeredAt"],"2.0 seconds"]"#,
      #""cause":".observer""#,
      #""status":".sending""#,
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func `an action from a browser reaches the cache in its part of the state`() throws {
    let observed = observe(world.number)
    world.answer("number 1", 5)
    let live = LiveRecording(recorder, dispatch: factory.dispatch)
    let album = #"{"name":"number","argument":"1"}"#
    func perform(_ action: String) throws {
      try live.perform(#"{"command":"dispatch","action":{"requests":{"_0":\#(action)}}}"#.utf8)
      world.executor.run()
    }
    try perform(#"{"invalidateEntry":{"_0":\#(album)}}"#)
    #expect(observed?.value.isStale == true)
    #expect(world.server.open == ["number 1"])
    try perform(#"{"failed":{"fetch":2,"_1":\#(album),"_2":{"kind":"thrown","reason":"in the inspector"},"at":[0,0]}}"#)
    #expect(observed?.value.failure == RequestFailure(.thrown, "in the inspector"))
    try perform(#"{"refetch":{"_0":\#(album)}}"#)
    world.answer("number 1", 6)
    #expect((observed?.value.value, observed?.value.failure) == (6, nil))
  }
}
