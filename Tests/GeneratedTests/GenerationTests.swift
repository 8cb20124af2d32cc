import ArborDevTools
import Foundation
import Testing

/// With `ARBOR_WRITE_TESTS=1` in the environment, these write the files.
struct GenerationTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Runs")

  @Test(arguments: Runs.files) func `the tests of runs are up to date`(number: Int) throws {
    try GenerationTests.expectFile(Runs.suite(number), try Runs.file(number))
  }

  @Test func `the test of samples is up to date`() throws {
    try GenerationTests.expectFile(SampleFile.suite, try SampleFile.text())
  }

  @Test func `the test of rare values is up to date`() throws {
    try GenerationTests.expectFile("OddityTests", try Oddity.file())
  }

  @Test func `the test of histories is up to date`() throws {
    try GenerationTests.expectFile("DraftingTests", try Drafting.file())
  }

  @Test(arguments: Combinations.suites) func `values of many kinds in many places compile`(suite: String) throws {
    try GenerationTests.expectFile(suite, try Combinations.file(suite))
  }

  @Test func `a recording whose state has tables, jobs, ids and stamps becomes a test`() throws {
    try GenerationTests.expectFile("OfficeTests", try Office.file())
  }

  @Test func `a recording whose tables have manual orders becomes a test`() throws {
    try GenerationTests.expectFile("PlaylistTests", try Playlist.file())
  }

  @Test func `a recording whose state keeps a held action becomes a test`() throws {
    try GenerationTests.expectFile("VaultTests", try Vault.file())
  }

  @Test func `a recording that begins with a history of changes becomes a test`() throws {
    try GenerationTests.expectFile("RevisionTests", try Revisions.file())
  }

  private static func expectFile(_ name: String, _ text: String) throws {
    let file = folder.appending(path: "\(name).swift")
    if ProcessInfo.processInfo.environment["ARBOR_WRITE_TESTS"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let expected = text.components(separatedBy: "\n")
    let first = zip(lines, expected).enumerated().first { $1.0 != $1.1 }
    #expect(
      first == nil && lines.count == expected.count, "\(name).swift from line \((first?.offset ?? lines.count) + 1) on")
    #expect(lines.count <= 301, "\(name).swift is longer than 300 lines")
  }
}
