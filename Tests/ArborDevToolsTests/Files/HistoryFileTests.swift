import Arbor
import ArborDevTools
import Foundation
import Testing

@Suite("Recordings of a history")
struct HistoryFileTests {
  struct Document: Codable, Equatable, Sendable {
    var text = ""
    var secret = ""
  }

  struct State: Codable, Equatable, Sendable {
    var text = History(Document(), limit: 4)
  }

  enum Action: Codable, Equatable, Sendable {
    case type(String)
    case tell(secret: String)
    case undo
    case redo
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .type(let text): state.text.document.text += text
    case .tell(let secret): state.text.document.secret = secret
    case .undo: state.text.undo()
    case .redo: state.text.redo()
    }
    state.text.record()
  }

  /// Makes a recording whose base has a past and a future.
  private func makeRecording() throws -> Recording<State, Action> {
    var recording = Recording<State, Action>(initialState: State(), checkpointInterval: 3, reducer: Self.reduce)
    for text in ["a", "b", "c", "d", "e", "f"] { try recording.perform(.type(text)) }
    try recording.perform([.undo, .undo])
    recording.commit()
    try recording.perform([.redo, .undo, .undo, .type("g"), .undo, .undo, .undo, .undo, .redo])
    return recording
  }

  private func bytes(
    _ recording: Recording<State, Action>,
    redacting redactions: [Redaction<State, Action>] = []
  ) throws -> [UInt8] {
    try Recordings.withFolder { folder in
      let file = folder.appending(path: "a.arbor.json")
      try recording.write(to: file, redacting: redactions)
      return Array(try Data(contentsOf: file))
    }
  }

  private func loaded(_ bytes: [UInt8]) throws -> Recording<State, Action> {
    try Recording(RecordingFileReader(bytes), reducer: Self.reduce)
  }

  @Test func `a loaded recording can undo recorded changes`() throws {
    let recording = try makeRecording()
    #expect(recording.base.text.canUndo && recording.base.text.canRedo)
    let loaded = try loaded(bytes(recording))
    #expect(loaded.count == 9)
    for position in 0...recording.count {
      #expect(try loaded.state(at: position) == recording.state(at: position))
    }
  }

  @Test func `a redacted value is in no past`() throws {
    var recording = Recording<State, Action>(initialState: State(), reducer: Self.reduce)
    try recording.perform([.tell(secret: "pin"), .type("a"), .type("b"), .undo])
    recording.commit()
    try recording.perform(.type("c"))
    let shown = String(decoding: try bytes(recording), as: UTF8.self)
    #expect(shown.contains("pin") && shown.contains(#""past""#))
    let redacted = try bytes(recording, redacting: [.value(\.text.document.secret, replacedBy: "")])
    #expect(!String(decoding: redacted, as: UTF8.self).contains("pin"))
    #expect(try loaded(redacted).state.text.document == Document(text: "ac"))
  }
}
