import Arbor
import ArborDevTools
import Foundation
import Testing

/// Checks `Sources/ArborDevTools/ArborDevTools.docc/RecordingFormat.md` against the code.
@Suite("The document of the format")
struct FormatDocumentTests {
  private struct ShopState: Codable, Equatable, Sendable {
    var items: [String] = []
    var total = 0
  }

  private enum ShopAction: Codable, Equatable, Sendable {
    case add(String)
    case pay(String)
  }

  private static func document() throws -> String {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/ArborDevTools")
    let file = sources.appending(path: "ArborDevTools.docc/RecordingFormat.md").standardizedFileURL
    return try String(contentsOf: file, encoding: .utf8)
  }

  private static func recording(_ text: String) throws -> Recording<ShopState, ShopAction> {
    try Recording(RecordingFileReader(Array(text.utf8))) { state, action in
      guard case .add(let item) = action else { return }
      state.items.append(item)
      state.total += 1
    }
  }

  @Test func `its example is loaded as described, and written exactly as printed`() throws {
    let document = try Self.document()
    let example = try #require(document.components(separatedBy: "```json\n").dropFirst().first)
      .components(separatedBy: "```")[0]
    let recording = try Self.recording(example)
    #expect(recording.entries.map(\.id) == [1, 2, 3, 4, 5])
    #expect(try (0...5).map { try recording.state(at: $0).items } == [[], ["tea"], ["tea"], ["tea"], ["tea"], []])
    #expect(try (0...5).map { try recording.stores(at: $0).count } == [1, 2, 2, 1, 1, 1])
    #expect("\(try #require(try recording.state(of: 3, at: 2)))" == #"{"query":"ca"}"#)
    #expect(recording.tasks.map { $0.ended == nil } == [false, true] && recording.position == 5)
    let verdicts = recording.entries.map { entry in
      switch entry.importVerdict {
      case .repeatable?: "repeatable"
      case .shownOnly?: "shown only"
      case .impossible?: "impossible"
      case nil: "none"
      }
    }
    #expect(verdicts == ["repeatable", "shown only", "repeatable", "shown only", "shown only"])
    let written = try Recordings.withFolder { folder in
      let file = folder.appending(path: "a.arbor.json")
      try recording.write(to: file)
      return try String(contentsOf: file, encoding: .utf8)
    }
    #expect(written == example)
  }

  @Test func `its tables list exactly the members that are written`() throws {
    let document = try Self.document()
    let kept = try JSONSerialization.jsonObject(with: Data(contentsOf: Recordings.kept("recording.arbor.json")))
    let file = try #require(kept as? [String: Any])
    let header: Set = ["format", "version", "name", "state", "action", "began", "encoding", "base"]
    #expect(Self.members(of: "## Header", in: document) == header)
    #expect(Self.members(of: "## Trailer", in: document) == Set(file.keys).subtracting(header).subtracting(["entries"]))
    for (section, key) in [("## Entries", "entries"), ("### Stores", "stores"), ("### Tasks", "tasks")] {
      let objects = try #require(file[key] as? [[String: Any]])
      let members = Set(objects.flatMap(\.keys))
      #expect(Self.members(of: section, in: document) == members, "\(section)")
    }
  }

  /// Returns the members in the first table of a section.
  private static func members(of section: String, in document: String) -> Set<String> {
    let lines = document.components(separatedBy: "\n").drop { $0 != section }.drop { !$0.hasPrefix("|") }
    return Set(
      lines.prefix { $0.hasPrefix("|") }.dropFirst(2).map { String($0.dropFirst(3).prefix { $0 != "`" }) })
  }

  @Test func `a violation of the format is damage, and an unknown mark is not loaded`()
    throws
  {
    let document = try Self.document()
    let example = try #require(document.components(separatedBy: "```json\n").dropFirst().first)
      .components(separatedBy: "```")[0]
    let unknown = example.replacing(#"{"_0":"tea"}"#, with: #"{"_0":{"$arbor":"later"}}"#)
    guard case .shownOnly? = try Self.recording(unknown).entries.first?.importVerdict else {
      Issue.record("an unknown mark was loaded")
      return
    }
    for (good, bad) in [
      (#"[["1","items",0],"tea"]"#, #"[["1","items",1],"tea"]"#), (#"[["3"]]"#, #"[["1"]]"#),
      (#"[["3"]]"#, #"[["4"]]"#),
      (#"[["1","items",0],"tea"]"#, #"[["1","other",0],"tea"]"#), (#""outcome":"dropped""#, #""outcome":"lost""#),
      (#""kind":"task""#, #""kind":"other""#), (#""number":2"#, #""number":1"#),
    ] {
      let text = example.replacing(good, with: bad)
      #expect(text != example)
      let error = #expect(throws: RecordingFileError.self) { try Self.recording(text) }
      guard case .damaged(_, _?, _)? = error else {
        Issue.record("\(bad): \(error as Any)")
        continue
      }
    }
  }
}
