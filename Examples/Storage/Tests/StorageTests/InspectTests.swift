import ArborPersistence
import Foundation
import Testing

@testable import StorageCore

@Suite struct InspectTests {
  @Test func `parts, files and the last entry are shown as tables`() async throws {
    let folder = try TemporaryFolder()
    try await Notebooks.save([Notebooks.settings, Notebooks.notes], .add("milk"), .theme("dark"), in: folder)
    #expect(
      Outcome.of("inspect", folder.path)
        == Outcome(lines: [
          "\(folder.path), last entry 2",
          "",
          "2 parts:",
          "  part      version  coding  bytes  differences",
          "  settings        3  json       16            0",
          "  notes           1  json        8            0",
          "",
          "no journaled steps",
          "",
          "1 file:",
          "  file   bytes",
          "  1.log    \(try folder.size(of: "1.log"))",
          "",
          "everything is intact",
        ])
    )
  }

  @Test func `the size of a part includes its differences`() async throws {
    let folder = try TemporaryFolder()
    try await Catalogs.save(in: folder)
    let part = try #require(StorageContents(of: folder.url).parts.first)
    let size = try #require(part.differences.first).count + part.bytes.count
    #expect(
      Outcome.of("inspect", folder.path).lines.contains("  books        1  json    \(size.grouped)            1")
    )
  }

  @Test func `a journal is shown with the versions of its actions and of its reducer`() async throws {
    let folder = try TemporaryFolder()
    let (old, new) = (Journal(of: Notebooks.feature), Journal(of: Notebooks.feature, version: 2, reducerVersion: 7))
    try await Notebooks.journal(old, [.add("milk"), .add("tea")], [.theme("dark")], in: folder)
    let first = Outcome.of("inspect", folder.path)
    #expect(
      first.lines.drop { !$0.contains("journal") }.prefix(3) == [
        "followed by a journal of 2 steps with 3 actions:",
        "  steps  actions  version  reducer  coding",
        "      2        3        1        1  json",
      ]
    )
    let newer = try TemporaryFolder()
    try await Notebooks.journal(new, [.add("rye")], in: newer)
    let second = Outcome.of("inspect", newer.path)
    #expect(second.lines.contains("followed by a journal of 1 step with 1 action:"))
    #expect(second.lines.contains("      1        1        2        7  json"))
  }

  @Test func `findings and files with other names are shown`() async throws {
    let folder = try TemporaryFolder()
    try await Notebooks.save([Notebooks.settings, Notebooks.notes], .add("milk"), .theme("dark"), in: folder)
    let size = try folder.size(of: "1.log")
    try folder.cut("1.log", by: 3)
    try Data("bytes".utf8).write(to: folder.url.appending(path: "0.log.dc235f06.damaged"))
    let outcome = Outcome.of("inspect", folder.path)
    #expect(outcome.status == 0)
    #expect(
      outcome.lines.suffix(6).prefix(4) == [
        "1 damaged file kept aside:", "  file                    bytes", "  0.log.dc235f06.damaged      5", "",
      ])
    #expect(outcome.lines.suffix(2).first == "1 finding:")
    let sentence = try #require(outcome.lines.last)
    #expect(sentence.hasPrefix("  1.log is incomplete from byte "))
    #expect(sentence.hasSuffix(" on: the rest is ignored"))
    let offset = try #require(sentence.split(separator: " ").compactMap { Int($0) }.first)
    #expect(32..<size ~= offset)
  }

  @Test func `damage to a state is shown with its place`() async throws {
    let folder = try TemporaryFolder()
    try await Notebooks.journal(Journal(of: Notebooks.feature), [.add("milk")], in: folder)
    let state = try folder.name(endingIn: ".state")
    let frame = try folder.secondFrame(of: state)
    try folder.flip(state, in: "light")
    #expect(
      Outcome.of("inspect", folder.path).lines.suffix(2)
        == ["1 finding:", "  \(state) is damaged at byte \(frame), and these parts are lost: settings"])
  }

  @Test func `control characters in names do not reach the terminal`() async throws {
    let folder = try TemporaryFolder()
    let notes = Persisted(\Notebook.notes, as: "a\u{1B}[2J\nb", coding: SecretCoding(name: "x\u{7}"))
    try await Notebooks.save([notes], .add("milk"), in: folder)
    let outcome = Outcome.of("inspect", folder.path)
    #expect(outcome.lines.contains { $0.hasPrefix(#"  a\u{1B}[2J\nb        1  x\u{07}  "#) })
    #expect(outcome.lines.joined().unicodeScalars.allSatisfy { !$0.isControl })
  }
}
