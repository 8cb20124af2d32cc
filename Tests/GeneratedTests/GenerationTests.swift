import ArborDevTools
import Foundation
import Testing

struct GenerationTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Runs")

  /// With `ARBOR_WRITE_TESTS=1` in the environment, it writes the files.
  @Test(arguments: Runs.files) func `The tests are those that are generated`(number: Int) throws {
    let text = try Runs.file(number)
    let file = GenerationTests.folder.appending(path: "\(Runs.suite(number)).swift")
    if ProcessInfo.processInfo.environment["ARBOR_WRITE_TESTS"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    for (index, (line, expected)) in zip(lines, text.split(separator: "\n", omittingEmptySubsequences: false))
      .enumerated()
    {
      guard line != expected else { continue }
      Issue.record("line \(index + 1) of \(file.lastPathComponent) is not \(expected), as it is generated")
      break
    }
    #expect(lines.count == text.split(separator: "\n", omittingEmptySubsequences: false).count)
    #expect(lines.count <= 301)
  }
}
