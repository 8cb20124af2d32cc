import XCTest

/// A test case that can capture its own failures instead of failing.
class ListeningTestCase: XCTestCase {
  struct Heard: Equatable {
    let text: String
    let file: String
    let line: Int
  }

  /// `true` if failures are captured; otherwise they are XCTest's.
  var isListening = false
  private(set) var heard: [Heard] = []

  #if canImport(ObjectiveC)
    override func record(_ issue: XCTIssue) {
      guard isListening else { return super.record(issue) }
      let location = issue.sourceCodeContext.location
      hear(issue.compactDescription, location?.fileURL.path ?? "", location?.lineNumber ?? 0)
    }
  #else
    override func recordFailure(
      withDescription description: String,
      inFile filePath: String,
      atLine lineNumber: Int,
      expected: Bool
    ) {
      if isListening {
        hear(description, filePath, lineNumber)
      } else {
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
    }
  #endif

  private func hear(_ text: String, _ file: String, _ line: Int) {
    heard.append(Heard(text: text, file: file, line: line))
  }
}
