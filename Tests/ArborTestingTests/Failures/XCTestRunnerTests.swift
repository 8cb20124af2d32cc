import ArborTesting
import TestSupport
import XCTest

/// Failures in XCTest, which are captured here instead of failing the test.
final class XCTestRunnerTests: ListeningTestCase {
  override func setUp() {
    isListening = true
  }

  /// Stops capturing, so that XCTest records the failures of this method.
  private func expectSeen(_ lines: [UInt], line: UInt = #line) {
    isListening = false
    let failures = lines.map { Heard(text: "failed - \(TestFailure.example.text)", file: #filePath, line: Int($0)) }
    XCTAssertEqual(heard, failures, line: line)
  }

  func testFailureIsRecordedOnceAtTheCallersLineWithItsText() {
    let line: UInt = #line + 1
    TestRunner.record(.example, at: .here())
    expectSeen([line])
  }

  func testWarningIsNoFailure() {
    let number = ExpectedReports.begin([TestFailure.warning.summary])
    TestRunner.record(.warning, at: .here())
    let written = ExpectedReports.end(number)
    expectSeen([])
    XCTAssertEqual(written.count, 1)
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
