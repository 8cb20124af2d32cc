import Arbor
import ArborPersistence
import Foundation
import Testing

@Suite("Reports of loads")
struct ReportTests {
  private let folder = MemoryFolder()

  @Test func `notes mention everything unusual about a load, and nothing else`() async throws {
    let first = try await OpenNotebook(in: folder)
    #expect(first.report.notes == [])
    try await first.save(.add("milk"), .theme("dark"))
    #expect(try await OpenNotebook(in: folder.copy()).report.notes == [])
    let newer = Persisted(\Notebook.notes, as: "notes", version: 2, migrations: [.from(1) { (old: [String]) in old }])
    #expect(
      try await OpenNotebook(in: folder.copy(), [newer]).report.notes == [
        "notes was migrated from version 1", "settings is stored but not declared, and is left unchanged",
      ])
    let lost = Persisted(\Notebook.notes, as: "notes", version: 3)
    #expect(
      try await OpenNotebook(in: folder.copy(), [lost]).report.notes == [
        "notes of version 1 cannot be read: there is no migration to version 3",
        "settings is stored but not declared, and is left unchanged",
        "unreadable data is kept in \(KeptAside.name(of: "notes"))",
      ])
  }

  @Test func `errors are described by sentences`() {
    #expect(
      "\(StorageError.file(FileError(.write, "/a/1.log", .noSpace)))"
        == "could not write /a/1.log: there is no space left")
    #expect("\(StorageError.newerPart("list", stored: 3, known: 2))".contains("version 3"))
    #expect(
      "\(FolderFinding.damagedLog(file: "2.log", offset: 9))"
        == "2.log is damaged at byte 9: everything from there on is lost")
    #expect(
      "\(FolderFinding.damagedState(file: "1.state", offset: 32, parts: ["a", "b"]))"
        == "1.state is damaged at byte 32, and these parts are lost: a, b")
    #expect(
      "\(FolderFinding.damagedState(file: "1.state", offset: 99, parts: []))"
        == "1.state is damaged at byte 99, but no part is lost")
    #expect(
      "\(FolderFinding.damagedState(file: "1.state", offset: 0, parts: nil))"
        == "1.state is damaged at byte 0: all its parts are lost")
  }

  @Test func `outcomes can be compared, and their errors are compared by description`() {
    struct Plain: Error {
      let number: Int
    }
    typealias Outcome = LoadReport.Outcome
    let different: [Outcome] = [
      .fresh, .loaded, .migrated(from: 1), .migrated(from: 2), .newer(1), .newer(2),
      .damaged(Plain(number: 1), keptAs: nil), .damaged(Plain(number: 2), keptAs: nil),
      .damaged(Plain(number: 1), keptAs: "a"), .damaged(StorageError.closed, keptAs: nil),
      .damaged(StorageError.notReduced, keptAs: nil),
    ]
    for (index, outcome) in different.enumerated() {
      for (otherIndex, other) in different.enumerated() { #expect((outcome == other) == (index == otherIndex)) }
    }
  }
}
