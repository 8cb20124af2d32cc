import Arbor
import ArborDevTools
import ArborEntities
import Foundation
import Testing

@Suite("Confidential values")
struct ConfidentialTests {
  struct Card: Codable, Hashable, Sendable, Confidential, CustomStringConvertible {
    var number = "s3cr3t"
    var description: String { "Card \(number)" }
  }

  struct Refusal: Error, CustomStringConvertible {
    let card: Card
    var description: String { "refused \(card.number)" }
  }

  struct State: Codable, Equatable, Sendable {
    var card: Card?
    var cards: [Card: Int] = [:]
    var job = JobState()
    var count = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case pay(Card)
    case refused(Card)
  }

  private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .pay(let card):
      (state.card, state.cards[card]) = (card, 1)
      state.job.run()
    case .refused(let card): state.job.fail(Refusal(card: card))
    }
    state.count += 1
  }

  /// Returns the texts of the files that a recording writes.
  private static func files<State: Sendable, Action: Sendable>(of recording: Recording<State, Action>) throws
    -> [String]
  {
    try Recordings.withFolder { folder in
      let files = ["a.arbor.json", "a.html", "a.json"].map { folder.appending(path: $0) }
      try recording.write(to: files[0])
      try recording.writePage(to: files[1])
      try recording.writeLiftedState(to: files[2])
      return try files.map { try String(contentsOf: $0, encoding: .utf8) }
    }
  }

  /// Returns the monitors that write: a log as text, a log as JSON, and a trace.
  private static func monitors(to log: Lines, _ json: Lines, _ trace: Lines) -> (LogMonitor, LogMonitor, TraceMonitor) {
    (
      LogMonitor(detail: .all, to: log.sink), LogMonitor(.json, detail: .all, to: json.sink),
      TraceMonitor(to: trace.sink)
    )
  }

  @Test func `one declaration hides a secret from every tool`() async throws {
    let (log, json, trace) = (Lines(), Lines(), Lines())
    let recorder = Recorder<State, Action>()
    let metrics = MetricsMonitor()
    let (text, lines, slices) = Self.monitors(to: log, json, trace)
    let factory = StoreFactory<State, Action>(
      initialState: State(),
      settings: TreeSettings(monitors: [recorder, metrics, text, lines, slices]),
      reducer: Self.reduce
    )
    let live = LiveRecording(recorder)
    var cursor = LiveCursor()
    factory.dispatch(.pay(Card()))
    factory.dispatch(.pay(Card(number: "s3cr3t-2")))
    factory.dispatch(.refused(Card()))
    factory.rootStore().task(key: Card()) { _ in throw Refusal(card: Card()) }
    await factory.rootStore().settled()
    #expect(factory.state.count == 3)
    let recording = try #require(recorder.recording)
    // Lines are written on the monitors' queues.
    text.flush()
    lines.flush()
    slices.flush()
    var outputs = [log.all, json.all, trace.all].map { $0.joined() }
    outputs.append("\(metrics.report)")
    outputs += live.messages(after: &cursor).map { String(decoding: $0, as: UTF8.self) }
    outputs += try Self.files(of: recording)
    for output in outputs { #expect(!output.contains("s3cr3t")) }
    #expect(outputs[0].contains("‹redacted›"))
    #expect(factory.state.job.reason == "Refusal(‹redacted›)")
    #expect(throws: SwiftSourceError.self) { try recording.testSource(named: "a") }
  }

  @Test func `the default report of a failed effect does not print a confidential key or error`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let factory = StoreFactory<Int, Int>(
        initialState: 0,
        feature: Feature(
          effects: { _, _ in .run(key: Card()) { _ in throw Refusal(card: Card()) } },
          reducer: { $0 += $1 }
        )
      )
      factory.dispatch(1)
      await factory.rootStore().settled()
    }
    let written = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(written.contains("an effect with the key ‹redacted› failed: Refusal(‹redacted›)"))
    #expect(!written.contains("s3cr3t"))
  }

  struct Email: Codable, Hashable, Sendable, Confidential {
    var text: String
  }

  /// A key with a confidential part.
  struct Login: Codable, Hashable, Sendable {
    var email: Email
    var number = 1
  }

  struct User: Codable, Equatable, Sendable, UniquelyIndexedEntity {
    var id: TypedID<User, Email>
    var login: TypedID<User, Login>
    @Stamped var stamped: TypedID<User, Login>

    static let byEmail = UniqueIndex { (user: User) in user.login.rawValue.email }

    static var indexes: [any EntityIndex<User>] { [byEmail] }

    init(_ id: String, login: String) {
      let login = TypedID<User, Login>(Login(email: Email(text: login)))
      (self.id, self.login, _stamped) = (TypedID(Email(text: id)), login, Stamped(wrappedValue: login))
    }
  }

  struct Users: Codable, Equatable, Sendable {
    var users = EntityTable<User>()
    var byID: [User.ID: Int] = [:]
    var byLogin: [TypedID<User, Login>: Int] = [:]
    var last: User?
  }

  enum UserAction: Codable, Equatable, Sendable {
    case add(User)
    case remove(User.ID)
  }

  private static let alice = User("s3cr3t-a", login: "s3cr3t-b")

  private static func reduce(_ state: inout Users, _ action: UserAction) {
    switch action {
    case .add(let user):
      try? state.users.upsert(user)
      (state.byID[user.id], state.byLogin[user.login], state.last) = (1, 2, user)
    case .remove(let id): state.users.remove(id)
    }
  }

  @Test func `an id with a secret, and a table's record with one, are hidden from every tool`() async throws {
    let (log, json, trace) = (Lines(), Lines(), Lines())
    let recorder = Recorder<Users, UserAction>()
    let (text, lines, slices) = Self.monitors(to: log, json, trace)
    let factory = StoreFactory<Users, UserAction>(
      initialState: Users(),
      settings: TreeSettings(monitors: [recorder, text, lines, slices], onEffectError: { _, _, _ in }),
      reducer: Self.reduce
    )
    factory.dispatch(.add(Self.alice))
    factory.dispatch(.add(User("s3cr3t-a", login: "s3cr3t-c")))
    factory.rootStore().task(key: Self.alice.id) { _ in throw EntityError<User>.missing(Self.alice.id) }
    factory.rootStore().task(key: Self.alice.login) { _ in
      throw EntityError<User>.duplicateKey("key", of: Self.alice.id, owner: Self.alice.id)
    }
    await factory.rootStore().settled()
    factory.dispatch(.remove(Self.alice.id))
    #expect(factory.state.users.isEmpty)
    let recording = try #require(recorder.recording)
    // Lines are written on the monitors' queues.
    text.flush()
    lines.flush()
    slices.flush()
    var outputs = [log.all, json.all, trace.all].map { $0.joined() }
    outputs += try Self.files(of: recording)
    for output in outputs { #expect(!output.contains("s3cr3t"), "\(output.prefix(2_000))") }
    #expect(outputs[0].contains("‹redacted›"))
    let error = #expect(throws: SwiftSourceError.self) { try recording.testSource(named: "a") }
    #expect(!"\(error as Any)".contains("s3cr3t"))
  }

  @Test func `the errors of a table do not show the secret in an id or a unique key`() throws {
    var users: EntityTable = [Self.alice]
    func text(_ body: (inout EntityTable<User>) throws -> Void) -> String {
      do { try body(&users) } catch { return "\(error)" }
      return ""
    }
    let other = User("s3cr3t-z", login: "s3cr3t-b")
    let texts = [
      text { try $0.insert(other) }, text { try $0.insert(Self.alice) }, text { try $0.update(other.id) { _ in } },
      text { try $0.update(Self.alice.id) { $0.id = other.id } },
      text { try $0.rename([Self.alice.id: other.id]) { _, _ in } },
    ]
    #expect(texts[0] == "User ‹redacted› would have the key \"‹redacted›\", which User ‹redacted› already has")
    for text in texts { #expect(text.contains("‹redacted›") && !text.contains("s3cr3t"), "\(text)") }
    guard
      case .duplicateKey(let key, _, _) = #expect(
        throws: EntityError<User>.self, performing: { try users.insert(other) })
    else {
      Issue.record("the unique key caused no error")
      return
    }
    #expect(key == "‹redacted›")
  }
}
