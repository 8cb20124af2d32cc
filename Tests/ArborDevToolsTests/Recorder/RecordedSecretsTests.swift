import Arbor
import ArborDevTools
import Foundation
import Testing

@Suite("Secrets in a recording")
struct RecordedSecretsTests {
  struct Token: Codable, Equatable, Sendable, Confidential {
    var text = "hidden-token"
  }

  struct Form: Codable, Equatable, Sendable {
    var password = "hidden-password"
    var edits = 0
  }

  struct State: Codable, Equatable, Sendable {
    var name = ""
    var form = Form()
    var token: Token?
  }

  enum FormAction: Codable, Equatable, Sendable {
    case password(String)
    case edit(String)
  }

  enum Action: Codable, Equatable, Sendable {
    case form(FormAction)
    case name(String)
    case use(Token)
  }

  static let redactions: [Redaction<State, Action>] = [
    .value(\.form.password, replacedBy: "-"),
    .action { if case .form(.password) = $0 { $0 = .form(.password("-")) } },
  ]

  private let recorder: Recorder<State, Action>
  private let factory: StoreFactory<State, Action>

  init() {
    recorder = Recorder(redacting: Self.redactions, checkpointInterval: 2)
    factory = StoreFactory(
      initialState: State(),
      settings: TreeSettings(monitors: [recorder]),
      reducer: Self.reduce
    )
  }

  private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .form(.password(let password)): state.form.password = password
    case .form(.edit): state.form.edits += 1
    case .name(let name): state.name = name
    case .use(let token): state.token = token
    }
  }

  /// Makes a child of a store with its own actions.
  private func makeChild() -> StoreObject<(Form, Int), FormAction> {
    let form = factory.rootStore().scope(to: \.form, action: Action.form)
    return form.childStore(
      initialState: 0,
      stateMapping: { ($0, $1) },
      feature: Feature(
        interceptors: [
          Interceptor<Int, FormAction> { action, _ in
            switch action {
            case .edit("drop hidden-1"): .drop
            case .edit("replace hidden-2"): .replace(with: .edit("replaced"))
            case .edit("replace"): .replace(with: .password("hidden-3"))
            default: .pass
            }
          }
        ]
      ) { count, _ in count += 1 }
    )
  }

  private func text(_ write: (URL) throws -> Void) throws -> String {
    let file = FileManager.default.temporaryDirectory.appending(path: "Arbor-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try write(file)
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  /// Returns all outputs of a recording except a test, and all messages.
  private func outputs(
    _ recording: Recording<State, Action>,
    redacting redactions: [Redaction<State, Action>] = []
  ) throws -> [String] {
    var browser = LiveBrowser()
    try browser.pull(LiveRecording(recorder, redacting: redactions))
    return [
      try text { try recording.write(to: $0, redacting: redactions) },
      try text { try recording.writePage(to: $0, redacting: redactions) },
      try text { try recording.writeLiftedState(to: $0, redacting: redactions) },
      browser.text,
    ]
  }

  @Test func `a secret leaves the process in no format: file, page, lifted state, live messages, test`() throws {
    factory.dispatchAndWait(.name("Ann"))
    factory.dispatchAndWait(.form(.password("hidden-root")))
    let recording = try #require(recorder.recording)
    let test = try recording.testSource(named: "signs in")
    #expect(test.contains(#".form(.password("-"))"#))
    for output in try outputs(recording) + [test] {
      #expect(!output.contains("hidden-"))
      #expect(output.contains("Ann"))
    }

    let child = makeChild()
    child.dispatchAndWait(.password("hidden-child"))
    factory.dispatchAndWait(.use(Token()))
    for output in try outputs(try #require(recorder.recording)) {
      #expect(!output.contains("hidden-"))
      #expect(output.contains("Ann"))
    }
  }

  @Test func `without rules, all outputs contain the secret`() throws {
    factory.dispatchAndWait(.form(.password("hidden-root")))
    var recording = try #require(recorder.recording)
    #expect(recording.state.form.password == "hidden-root")
    recording.redactions = []
    var outputs = try outputs(recording)
    outputs[3] = try recording.testSource(named: "signs in")
    for output in outputs { #expect(output.contains("hidden-root")) }
  }

  @Test func `the rules of an output are applied after those of the recording`() throws {
    factory.dispatchAndWait(.name("Ann"))
    let recording = try #require(recorder.recording)
    let rules: [Redaction<State, Action>] = [
      .action { if case .name = $0 { $0 = .name("somebody") } },
      .value(\.form.password, replacedBy: "second"),
      .value(\.name, replacedBy: "somebody"),
    ]
    let test = try recording.testSource(named: "is named", redacting: rules)
    for output in try outputs(recording, redacting: rules) + [test] {
      #expect(!output.contains("hidden-") && !output.contains("Ann"))
      #expect(output.contains("somebody") && output.contains("second"))
    }
  }

  @Test func `a copy keeps the rules, and a recording that loads another has the rules of both`() throws {
    factory.dispatchAndWait(.form(.password("hidden-root")))
    var copy = try #require(recorder.recording)
    try copy.perform(.form(.password("hidden-copy")))
    #expect(!(try text { try copy.write(to: $0) }).contains("hidden-"))
    var other = Recording<State, Action>(initialState: State(), reducer: Self.reduce)
    other.load(copy)
    #expect(other.state.form.password == "hidden-copy")
    #expect(!(try text { try other.write(to: $0) }).contains("hidden-"))
  }

  @Test func `an action of another type is redacted completely if a rule changes the root's action`() throws {
    let child = makeChild()
    child.dispatchAndWait(.password("hidden-child"))
    child.dispatchAndWait(.edit("open"))
    let recording = try #require(recorder.recording)
    let file = try RecordingFileReader(Array(try text { try recording.write(to: $0) }.utf8))
    let secret = try #require(try file.next())
    #expect(secret.text == "‹redacted›" && secret.name == "‹redacted›" && secret.action == .redacted)
    let open = try #require(try file.next())
    #expect(open.text == #"edit("open")"#)
  }

  /// A text at any depth.
  private indirect enum Nest: Sendable {
    case end(String)
    case inside(Nest)

    init(_ text: String, depth: Int) {
      self = (0..<depth).reduce(.end(text)) { nest, _ in .inside(nest) }
    }

    var hidden: Nest {
      switch self {
      case .end: .end("-")
      case .inside(let nest): .inside(nest.hidden)
      }
    }
  }

  private enum NestAction: Sendable {
    case nest(Nest)
  }

  @Test func `an action of another type is redacted completely if the root's is too deep to be shown`() throws {
    let recorder = Recorder<Int, NestAction>(
      redacting: [.action { if case .nest(let nest) = $0 { $0 = .nest(nest.hidden) } }])
    let factory = StoreFactory<Int, NestAction>(initialState: 0, settings: TreeSettings(monitors: [recorder])) {
      state, _ in state += 1
    }
    let child = factory.rootStore().scope(to: \.self, action: NestAction.nest).childStore(
      initialState: 0,
      stateMapping: { ($0, $1) },
      feature: Feature { count, _ in count += 1 }
    )
    for depth in 0..<110 { child.dispatchAndWait(Nest("hidden-deep", depth: depth)) }
    let recording = try #require(recorder.recording)
    #expect(recording.count == 110)
    for output in [try text { try recording.write(to: $0) }, try text { try recording.writePage(to: $0) }] {
      #expect(!output.contains("hidden-deep"))
    }
  }

  @Test func `an action of another type is redacted completely if the root did not reduce it`() throws {
    let child = makeChild()
    for text in ["drop hidden-1", "replace hidden-2", "replace"] { child.dispatchAndWait(.edit(text)) }
    let recording = try #require(recorder.recording)
    #expect(recording.count == 3)
    for output in try outputs(recording) { #expect(!output.contains("hidden-")) }
    let file = try text { try recording.write(to: $0) }
    #expect(file.contains("edit(\\\"replaced\\\")"))
    var typeOnly = recording
    typeOnly.redactions = []
    #expect(try text { try typeOnly.write(to: $0) }.contains("drop hidden-1"))
  }

  @Test func `a lifted state has the root's actions`() throws {
    let child = makeChild()
    for action: FormAction in [.edit("a"), .password("hidden-child"), .edit("replace hidden-2")] {
      child.dispatchAndWait(action)
    }
    let recording = try #require(recorder.recording)
    let value = try JSONReader.value(of: Array(try text { try recording.writeLiftedState(to: $0) }.utf8))
    let actions = (1...3).map { value["actionsById"]["\($0)"]["action"] }
    for (action, root) in zip(actions, [Action.form(.edit("a")), .form(.password("-")), .form(.edit("replaced"))]) {
      #expect(action["type"].text == "form")
      #expect(action["form"] == (try RecordedValue(encoding: root)["form"]))
    }
  }

  @Test func `other data of a file is only written again if there are no rules`() throws {
    let child = #"{"id":2,"parent":1,"state":"hidden-3","made":0}"#
    let base = String(decoding: JSONText(of: try RecordedValue(encoding: State())).bytes, as: UTF8.self)
    let file = """
      {"format":"arbor-recording","version":1,"name":"hidden-1","state":"State","action":"Action",
      "began":"2026-11-23T20:00:00Z","encoding":"codable","base":{"1":\(base),"2":0},"entries":[
      ],"stores":[{"id":1,"parent":null,"state":"State","made":0},\(child)],"tasks":[],"metrics":{"hidden-2":1},"position":0}
      """
    var recording = try Recording<State, Action>(RecordingFileReader(Array(file.utf8)), reducer: Self.reduce)
    let open = try text { try recording.write(to: $0) }
    for secret in ["hidden-1", "hidden-2", "hidden-3"] { #expect(open.contains(secret)) }
    recording.redactions = [.value(\.form.password, replacedBy: "-")]
    for output in [try text { try recording.write(to: $0) }, try text { try recording.writePage(to: $0) }] {
      #expect(!output.contains("hidden-"))
    }
    #expect(try text { try recording.write(to: $0, named: "Shop") }.contains(#""name":"Shop""#))
  }
}
