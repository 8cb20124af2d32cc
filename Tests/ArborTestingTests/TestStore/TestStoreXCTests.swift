import Arbor
import ArborTesting
import XCTest

/// A test store in XCTest: what is right passes, and each failure is one of the test's, at its line.
final class TestStoreXCTests: XCTestCase {
  private var failures: [String] = []
  private var isListening = false

  #if canImport(ObjectiveC)
    override func record(_ issue: XCTIssue) {
      guard isListening else { return super.record(issue) }
      let location = issue.sourceCodeContext.location
      see(issue.compactDescription, at: location?.lineNumber ?? 0)
    }
  #else
    override func recordFailure(
      withDescription description: String,
      inFile filePath: String,
      atLine lineNumber: Int,
      expected: Bool
    ) {
      if isListening {
        see(description, at: lineNumber)
      } else {
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
      }
    }
  #endif

  private func see(_ text: String, at line: Int) {
    failures.append("\(line): \(text.split(separator: "\n").first ?? "")")
  }

  func testWhatIsRightPasses() async {
    let store = TestStore(initialState: Shop(), reducer: shopReducer)
    await store.send(.visit) { $0.visits = 1 }
    store.store().dispatch(.tick)
    await store.receive(.tick) { $0.visits = 2 }
    await store.finish()
  }

  func testEachFailureIsRecordedOnceAtItsLine() async {
    let line = #line
    isListening = true
    do {
      let store = TestStore(initialState: Shop(), reducer: shopReducer)
      await store.send(.visit) { $0.visits = 7 }
      await store.receive(.tick)
    }
    isListening = false
    XCTAssertEqual(
      failures,
      [
        "\(line + 4): failed - The state after .visit is not the expected one.",
        "\(line + 5): failed - .tick was not received.",
        "\(line + 3): failed - A test store was released and never finished.",
      ]
    )
  }
}
