import Arbor
import ArborTesting
import XCTest

/// A test store in XCTest: correct tests pass, and each failure is recorded at its line.
final class TestStoreXCTests: ListeningTestCase {
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
      heard.map { "\($0.line): \($0.text.split(separator: "\n").first ?? "")" },
      [
        "\(line + 4): failed - The state after .visit is not the expected one.",
        "\(line + 5): failed - .tick was not received.",
        "\(line + 3): failed - A test store was released without a call of `finish()`.",
      ]
    )
  }
}
