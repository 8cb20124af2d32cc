import Arbor
import ArborDevTools
import Foundation
import TestSupport
import Testing

@Suite("Recordings that are read from files")
struct ImportTests {
  private typealias Program = ImportedProgram

  @Test func `a file that is read and written again is the same`() async throws {
    let bytes = try await Program.bytes()
    for interval in [1, 3, 32] {
      let written = try Program.bytes(Program.imported(bytes, checkpointInterval: interval))
      #expect(String(decoding: written, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test func `the states of all stores exist at each position`() async throws {
    let recording = try await Program.recording()
    let imported = try Program.imported(Program.bytes(recording))
    #expect(imported.count == recording.count && imported.position == recording.position)
    #expect(imported.state == recording.state && imported.base == recording.base)
    var shown = 0
    for position in 0...recording.count {
      #expect(try imported.state(at: position) == recording.state(at: position))
      let stores = try recording.stores(at: position)
      #expect(try imported.stores(at: position) == stores)
      for store in stores.dropFirst() {
        let state = try #require(try recording.state(of: store.id, at: position) as? Program.Selection)
        let value = try #require(try imported.state(of: store.id, at: position) as? RecordedValue)
        #expect(try value.decoded() == state)
        #expect(imported.stateName(of: store.id) == "Selection")
        shown += 1
      }
    }
    #expect(shown > 15)
    #expect(imported.stateName(of: try #require(try recording.stores(at: 0).first).id) == "State")
    #expect(imported.stateName(of: 0) == nil)
  }

  @Test func `each action gets a verdict, and none is lost`() async throws {
    let recording = try await Program.recording()
    #expect(recording.entries.allSatisfy { $0.importVerdict == nil })
    let imported = try Program.imported(Program.bytes(recording))
    let barrier = try Program.imported(await Program.bytes()).entries.last
    #expect(barrier?.isBarrier == true && barrier?.action is FileAction)
    var reasons: Set<String> = []
    for (entry, original) in zip(imported.entries, recording.entries) {
      #expect(entry.id == original.id && entry.cause == original.cause && entry.times == original.times)
      switch entry.importVerdict {
      case .repeatable(let action):
        #expect(
          original.rootAction == action && entry.rootAction == action && entry.action as? Program.Action == action)
      case .shownOnly(let reason):
        let action = try #require(entry.action as? FileAction)
        #expect(entry.rootAction == nil && action.description.hasPrefix(action.name))
        reasons.insert(reason)
      default: Issue.record("\(entry)")
      }
    }
    #expect(reasons.count == 4, "\(reasons)")  // another store's, dropped, replaced, held
    #expect(imported.tasks.count == 2 && imported.tasks.map(\.id) == recording.tasks.map(\.id))
    guard case .failed(let error)? = imported.tasks.last?.outcome else {
      Issue.record("\(imported.tasks)")
      return
    }
    #expect("\(error)" == #"no "connection"\n"#)
    #expect(imported.tasks.first?.key.map { "\($0)" } == #""task""#)
  }

  @Test func `the cause of an action leads to its task and the task's key, also in a file`() async throws {
    let recording = try await Program.recording()
    let entry = try #require(recording.entries.first { $0.rootAction == .add("from the task") })
    let task = try #require(entry.cause.task.flatMap(recording.task))
    #expect(entry.cause.kind == .task && task.key as? String == "task")
    let imported = try Program.imported(Program.bytes(recording))
    #expect(imported.task(task.id)?.key.map { "\($0)" } == #""task""#)
    #expect(recording.task(0) == nil && imported.task(.max) == nil)
  }

  @Test func `actions of the root can be left out, and actions that are only shown stay`() async throws {
    var imported = try Program.imported(Program.bytes(await Program.recording()))
    let first = try #require(imported.entries.first)
    #expect(first.isSkipped && imported.base.items.isEmpty)
    try imported.toggle(first.id)
    #expect(try imported.state(at: 1).items.count == 1)
    // The replaced action has the state of the file, in which the first action was left out.
    let replaced = try #require(
      imported.entries.enumerated().first { ($0.element.action as? FileAction)?.description == #"add("replaced")"# }?
        .offset)
    #expect(try imported.state(at: replaced).items == ["first </script>\u{2028}"])
    #expect(try imported.state(at: replaced + 1).items == ["replacement"])
    for entry in imported.entries where entry.importVerdict != .repeatable(.add("last")) && !entry.isSkipped {
      try imported.toggle(entry.id)
    }
    #expect(imported.state.edits == 0)
    try imported.jump(to: imported.count)
    #expect(imported.state.items == ["last"])
    imported.sweep()
    #expect(imported.count == 1 && imported.state.items == ["last"])
    imported.rollBack()
    #expect(imported.count == 0 && imported.state == Program.State())
  }

  @Test func `loading a recording replaces everything except a lock and a pause`() async throws {
    let bytes = try Program.bytes(await Program.recording())
    var recording = Recording<Program.State, Program.Action>(initialState: Program.State(note: "old")) {
      state, action in
      Program.reduce(&state, action)
    }
    try recording.perform([.add("gone"), .clear])
    recording.isLocked = true
    recording.load(try Program.imported(bytes))
    #expect(recording.isLocked && recording.base == Program.State())
    #expect(String(decoding: try Program.bytes(recording), as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
    #expect(throws: RecordingError.locked) { try recording.perform(.clear) }
    recording.isLocked = false
    let last = try #require(recording.entries.last)
    #expect(try recording.perform(.clear) == last.id + 1)
  }

  @Test func `with redactions, data that rules cannot read is redacted completely`() async throws {
    let imported = try Program.imported(Program.bytes(await Program.recording()))
    let bytes = try Program.bytes(imported, redacting: [.value(\.note, replacedBy: "-")])
    let text = String(decoding: bytes, as: UTF8.self)
    // An error of a task, a state and an action of a child, and a dropped action.
    for secret in ["connection", #""index""#, "also in the child", "dropped\\\""] {
      #expect(!text.contains(secret), "\(secret)")
    }
    #expect(text.contains(#""name":"‹redacted›","text":"‹redacted›","action":{"$arbor":"redacted"}"#))
    #expect(throws: Never.self) { try Program.imported(bytes) }
  }

  @Test func `a recording that no store made is read, too`() throws {
    var recording = Recording<Program.State, Program.Action>(initialState: Program.State(), reducer: Program.reduce)
    try recording.setLimit(2)
    try recording.perform([.add("a"), .clear, .add("b")])
    let bytes = try Program.bytes(recording)
    let imported = try Program.imported(bytes)
    #expect(imported.entries.map(\.rootAction) == [.clear, .add("b")])
    #expect(imported.base.items == ["a"])
    #expect(try Program.bytes(imported) == bytes)
  }

  @Test func `only repeatable actions become a test`() async throws {
    let imported = try Program.imported(Program.bytes(await Program.recording()))
    #expect(throws: SwiftSourceError.self) { try imported.testSource(named: "all") }
    var repeatable = imported
    for entry in imported.entries where entry.rootAction == nil && !entry.isSkipped { try repeatable.toggle(entry.id) }
    try repeatable.jump(to: repeatable.count)
    let source = try repeatable.testSource(named: "all")
    #expect(source.contains(#"(.add("last"))"#))
    #expect(!source.contains("in the child"))
  }
}
