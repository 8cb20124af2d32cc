import ArborPersistence
import Foundation
import Testing

@testable import StorageCore

@Suite struct RepairTests {
  @Test func `readable content is written again, and the rest is kept under another name`() async throws {
    let folder = try TemporaryFolder()
    try await Notebooks.journal(Journal(of: Notebooks.feature), [.add("milk")], [.add("tea"), .add("rye")], in: folder)
    let state = try folder.name(endingIn: ".state")
    let frame = try folder.secondFrame(of: state)
    try folder.flip(state, in: "theme")
    let outcome = Outcome.of("repair", folder.path)
    let kept = try folder.name(endingIn: ".damaged")
    #expect(kept.hasPrefix("\(state)."))
    #expect(
      outcome.lines == [
        "\(state) is damaged at byte \(frame), and these parts are lost: settings",
        "kept aside as \(kept)",
        "remaining: 1 part, and 2 steps with 3 actions",
      ]
    )
    #expect(Outcome.of("verify", folder.path).status == 0)
    #expect(Outcome.of("inspect", folder.path).lines.contains("1 damaged file kept aside:"))
  }

  @Test func `repair does nothing if nothing is damaged`() async throws {
    let folder = try TemporaryFolder()
    try await Notebooks.save([Notebooks.notes], .add("milk"), in: folder)
    let names = try folder.names
    #expect(
      Outcome.of("repair", folder.path)
        == Outcome(lines: ["nothing to repair: everything is intact"])
    )
    #expect(try folder.names == names)
  }

  @Test func `a folder in use is refused, with its owner`() async throws {
    let folder = try TemporaryFolder()
    try await Notebooks.save([Notebooks.notes], .add("milk"), .add("tea"), in: folder)
    let storage = try Storage(at: folder.url)
    try folder.cut(folder.name(endingIn: ".log"), by: 1)
    let names = try folder.names
    let outcome = Outcome.of("repair", folder.path)
    #expect(outcome.status == 2 && outcome.lines.isEmpty && outcome.errors.count == 1)
    let sentence = try #require(outcome.errors.first)
    #expect(sentence.contains("it is in use by ") && sentence.contains("(process \(getpid()))"))
    #expect(try folder.names == names)
    withExtendedLifetime(storage) {}
  }
}
