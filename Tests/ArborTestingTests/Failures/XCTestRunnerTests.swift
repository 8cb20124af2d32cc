import ArborTesting
import XCTest

/// Failures in XCTest: they arrive here instead of failing.
final class XCTestRunnerTests: XCTestCase {
  private struct Seen: Equatable {
    let text: String
    let file: String
    let line: Int
  }

  private var seen: [Seen] = []
  private var isListening = true

  #if canImport(ObjectiveC)
    override func record(_ issue: XCTIssue) {
      guard isListening else { return super.record(issue) }
      let location = issue.sourceCodeContext.location
      see(issue.compactDescription, location?.fileURL.path ?? "", location?.lineNumber ?? 0)
    }
  #else
    override func recordFailure(
      withDescription description: String,
      inFile filePath: String,
      atLine lineNumber: Int,
      expected: Bool
    ) {
      if isListening {
        see(description, filePath, lineNumber)
      } else {
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
    }
  #endif

  private func see(_ text: String, _ file: String, _ line: Int) {
    seen.append(Seen(text: text, file: file, line: line))
  }

  /// Stops listening, so that XCTest records what this finds.
  private func expectSeen(_ lines: [UInt], line: UInt = #line) {
    isListening = false
    let failures = lines.map { Seen(text: "failed - \(TestFailure.example.text)", file: #filePath, line: Int($0)) }
    XCTAssertEqual(seen, failures, line: line)
  }

  func testFailureIsRecordedOnceAtTheCallersLineWithItsText() {
    let line: UInt = #line + 1
    TestRunner.record(.example, at: .here())
    expectSeen([line])
  }

  func testWarningIsNoFailure() {
    TestRunner.record(.warning, at: .here())
    expectSeen([])
  }

  func testWhatASinkTakesIsNotRecorded() {
    let failures = TestRunner.catching { TestRunner.record(.example, at: .here()) }.failures
    expectSeen([])
    XCTAssertEqual(failures.map(\.failure), [.example])
  }

  func testFailureInADetachedTaskIsRecorded() async {
    let place = SourcePlace.here()
    await Task.detached { TestRunner.record(.example, at: place) }.value
    expectSeen([place.line])
  }

  func testFailureOnAnotherThreadIsRecorded() {
    let place = SourcePlace.here()
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      TestRunner.record(.example, at: place)
      done.signal()
    }
    done.wait()
    expectSeen([place.line])
  }
}
