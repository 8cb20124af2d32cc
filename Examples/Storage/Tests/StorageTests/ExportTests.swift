import ArborPersistence
import Foundation
import Testing

@testable import StorageCore

@Suite struct ExportTests {
  @Test func `parts and then actions are lines of JSON, and the actions of a step share its number`() async throws {
    let folder = try TemporaryFolder()
    let journal = Journal(of: Notebooks.feature, version: 2, reducerVersion: 4)
    try await Notebooks.journal(journal, [.add("milk"), .add("tea")], [.theme("dark")], in: folder)
    let outcome = Outcome.of("export", folder.path)
    #expect(
      outcome.lines == [
        #"{"part":"settings","version":3,"coding":"json","value":{"theme":"light"},"differences":[]}"#,
        #"{"part":"notes","version":1,"coding":"json","value":[],"differences":[]}"#,
        #"{"step":1,"version":2,"reducerVersion":4,"coding":"json","action":{"add":{"_0":"milk"}}}"#,
        #"{"step":1,"version":2,"reducerVersion":4,"coding":"json","action":{"add":{"_0":"tea"}}}"#,
        #"{"step":2,"version":2,"reducerVersion":4,"coding":"json","action":{"theme":{"_0":"dark"}}}"#,
      ]
    )
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
  }

  @Test func `values of an unknown coding are bytes in base64`() async throws {
    let folder = try TemporaryFolder()
    try await Notebooks.save([Persisted(\.notes, as: "notes", coding: SecretCoding())], .add("milk"), in: folder)
    #expect(
      Outcome.of("export", folder.path).lines
        == [#"{"part":"notes","version":1,"coding":"secret","bytes":"WyJtaWxrIl0=","differences":[]}"#]
    )
  }

  @Test func `differences are a list of JSON, or of bytes if one of them is not JSON`() async throws {
    let folder = try TemporaryFolder()
    try await Catalogs.save(in: folder)
    let line = try #require(Outcome.of("export", folder.path).lines.first)
    let text = try #require(StorageContents(of: folder.url).parts.first?.differenceTexts.first ?? nil)
    #expect(line.hasSuffix(#","differences":[\#(text)]}"#) && text.contains("Emma"))

    let secret = try TemporaryFolder()
    try await Catalogs.save(SecretCoding(), in: secret)
    let other = try #require(Outcome.of("export", secret.path).lines.first)
    #expect(other.hasSuffix(#","differenceBytes":["\#(Data(text.utf8).base64EncodedString())"]}"#))
  }

  @Test func `JSON of another writer is one line, and other values are bytes`() async throws {
    let folder = try TemporaryFolder()
    let parts: [Persisted<Notebook>] = [
      Persisted(\.notes, as: "spaced", coding: SecretCoding(name: "json", suffix: " \r\n")),
      Persisted(\.notes, as: "more", coding: SecretCoding(name: "json", suffix: "]")),
    ]
    try await Notebooks.save(parts, .add("milk"), in: folder)
    #expect(
      Outcome.of("export", folder.path).lines == [
        #"{"part":"spaced","version":1,"coding":"json","value":["milk"],"differences":[]}"#,
        #"{"part":"more","version":1,"coding":"json","bytes":"WyJtaWxrIl1d","differences":[]}"#,
      ]
    )
  }

  @Test func `names and texts with control characters are escaped, and stay the same`() async throws {
    let folder = try TemporaryFolder()
    let (name, note) = ("\"\u{1B}\\\u{202E}é", "a\u{2028}\u{9B}\u{7F}ü😀")
    try await Notebooks.save([Persisted(\.notes, as: name)], .add(note), in: folder)
    let line = try #require(Outcome.of("export", folder.path).lines.first)
    #expect(line.unicodeScalars.allSatisfy { !$0.isControl })
    let part = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
    #expect(part.part == name && part.value == [note])
  }

  @Test func `the rest of a damaged storage is exported, and the status reports the loss`() async throws {
    let folder = try TemporaryFolder()
    try await Notebooks.journal(Journal(of: Notebooks.feature), [.add("milk")], in: folder)
    let state = try folder.name(endingIn: ".state")
    let frame = try folder.secondFrame(of: state)
    try folder.flip(state, in: "theme")
    let outcome = Outcome.of("export", folder.path)
    #expect(outcome.lines.count == 2 && outcome.lines.allSatisfy { !$0.contains("settings") })
    let finding = "\(state) is damaged at byte \(frame), and these parts are lost: settings"
    #expect(outcome.errors == ["arbor-storage: \(finding)"])
    #expect(outcome.status == 1)
  }

  private struct Line: Decodable {
    let part: String
    let value: [String]
  }
}
