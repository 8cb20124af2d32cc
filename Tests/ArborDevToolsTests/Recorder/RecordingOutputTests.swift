import Arbor
import ArborDevTools
import Foundation
import Testing

@Suite("Output of a recording")
struct RecordingOutputTests {
  struct Token: Codable, Equatable, Sendable, Confidential {
    var text = "hidden-token"
  }

  struct State: Codable, Equatable, Sendable {
    var items: [String] = []
    var password = "hidden-password"
    var token = Token()
  }

  enum Action: Codable, Equatable, Sendable {
    case add(String)
    case signIn(name: String, password: String)
    case use(Token)
  }

  static let redactions: [Redaction<State, Action>] = [
    .value(\.password, replacedBy: "-"),
    .action { action in
      if case .signIn(let name, _) = action { action = .signIn(name: name, password: "-") }
    },
  ]

  private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .add(let item): state.items.append(item)
    case .signIn(_, let password): state.password = password
    case .use(let token): state.token = token
    }
  }

  /// Returns a recording of a root and a child, with a task and a secret.
  private func recording() throws -> Recording<State, Action> {
    let recorder = Recorder<State, Action>(checkpointInterval: 2)
    let factory = StoreFactory<State, Action>(
      initialState: State(),
      feature: Feature(
        effects: { _, action in action == .add("b") ? .send(.add("c")) : .none },
        reducer: Self.reduce
      ),
      settings: TreeSettings(monitors: [recorder])
    )
    factory.dispatchAndWait(.add("</script>"))
    factory.dispatchAndWait(.signIn(name: "Ann", password: "hidden-2"))
    let child = factory.childStore(
      initialState: 7,
      stateMapping: { $1 },
      feature: Feature<Int, Action> { count, _ in count += 1 }
    )
    child.store().dispatchAndWait(.add("b"))
    factory.dispatchAndWait(.use(Token(text: "hidden-3")))
    #expect(child.state == 8)
    var recording = try #require(recorder.recording)
    let sent = try #require(recording.entries.first { $0.rootAction == .add("c") })
    try recording.toggle(sent.id)
    withExtendedLifetime((factory, child)) {}
    return recording
  }

  private func written(_ write: (URL) throws -> Void) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory.appending(path: "Arbor-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try write(file)
    return Array(try Data(contentsOf: file))
  }

  @Test func `a file has the name of the store, or otherwise of the root's type`() throws {
    func name(ofFileOf name: String?) throws -> String {
      let recorder = Recorder<Int, Int>()
      let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(name: name, monitors: [recorder])) {
        $0 += $1
      }
      factory.dispatchAndWait(1)
      let recording = try #require(recorder.recording)
      return try RecordingFileReader(try written { try recording.write(to: $0) }).header.name
    }
    #expect(try name(ofFileOf: "Shop") == "Shop")
    #expect(try name(ofFileOf: nil) == "Int")
  }

  @Test func `a file contains each action with its changes in all stores`() throws {
    let recording = try recording()
    let reader = try RecordingFileReader(try written { try recording.write(to: $0, named: "Test") })
    #expect(reader.header.name == "Test" && reader.header.encoding == .codable)
    var states = RecordedValue.object(reader.header.base)
    var position = 0
    var names: [String] = []
    while let entry = try reader.next() {
      for change in entry.changes { try change.apply(to: &states) }
      position += 1
      names.append(entry.name)
      guard case .object(let stores) = states else { throw CocoaError(.fileReadCorruptFile) }
      for store in try recording.stores(at: position) {
        let state = try recording.state(of: store.id, at: position)
        let expected = try (state as? any Encodable).map { try RecordedValue(encoding: $0) }
        #expect(stores["\(store.id)"] == expected)
      }
    }
    #expect(names == ["add", "signIn", "add", "use", "add"] || names == ["add", "signIn", "add", "add", "use"])
    let trailer = try reader.trailer()
    #expect(trailer.stores.count == 2 && trailer.position == 5)
    #expect(trailer.root == trailer.stores.first?.id)
  }

  @Test func `a page contains the recording as data, without its markup`() throws {
    let recording = try recording()
    let text = String(decoding: try written { try recording.writePage(to: $0) }, as: UTF8.self)
    #expect(text.contains(#"id="recording""#))
    #expect(text.contains(#"\u003c/script>"#))
    #expect(!text.contains(#""</script>""#))
  }

  @Test func `lifted states are the states of the root`() throws {
    let recording = try recording()
    let value = try JSONReader.value(of: try written { try recording.writeLiftedState(to: $0) })
    guard case .object(let lifted) = value, case .array(let states)? = lifted["computedStates"] else {
      throw CocoaError(.fileReadCorruptFile)
    }
    #expect(states.count == recording.count + 1)
    guard case .object(let last)? = states.last else { throw CocoaError(.fileReadCorruptFile) }
    #expect(last["state"] == (try RecordedValue(encoding: recording.state)))
  }

  @Test func `no test is written for a state that is not equal to itself`() throws {
    var recording = Recording<Double, Double>(initialState: 1) { $0 /= $1 }
    try recording.perform([2, 0])
    #expect(try recording.testSource(named: "divides").contains("inf"))
    try recording.perform([.infinity])
    let error = #expect(throws: SwiftSourceError.self) { try recording.testSource(named: "divides") }
    #expect(error?.path == "the state after action 3")
  }

  @Test func `a test repeats the recording`() throws {
    var recording = Recording<State, Action>(initialState: State(), reducer: Self.reduce)
    try recording.perform([.add("a"), .signIn(name: "Ann", password: "x"), .add("b")])
    try recording.toggle(3)
    let source = try recording.testSource(named: "adds", store: "makeStore()")
    #expect(source.contains(#"await store.send(.add("a")) { $0.items = ["a"] }"#))
    #expect(source.contains(#"$0.password = "x""#))
    #expect(!source.contains(#"["a", "b"]"#))
    var below = try self.recording()
    #expect(throws: SwiftSourceError.self) { try below.testSource(named: "below") }
    let root = try below.stores(at: 0).first?.id
    for entry in below.entries where !entry.isSkipped {
      let isConfidential = if case .use = entry.rootAction { true } else { false }
      if entry.store != root || isConfidential { try below.toggle(entry.id) }
    }
    #expect(throws: Never.self) { try below.testSource(named: "below", store: "makeStore()") }
  }
}
