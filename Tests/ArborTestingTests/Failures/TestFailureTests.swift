import ArborTesting
import Testing

@Suite("The text of a failure")
struct TestFailureTests {
  @Test func `a failure lists the expectation, the actual event, the differences and the fix`() {
    let text = """
      The state after “increment” is not what the test expected – it differs in one field.

      Expected: Counter(count: 1)
      Happened: Counter(count: 2)
        count: 1 → 2
      To fix this, change the closure, or the reducer that counts twice.
      """
    #expect(TestFailure.example.text == text)
  }

  @Test func `further lines are aligned with the first one`() {
    let failure = TestFailure(
      summary: "Two actions wait.",
      expected: "none",
      happened: "increment\n\ndecrement",
      differences: ["text: one\ntwo", "flag: true → false"],
      fix: "receive them."
    )
    let text = """
      Two actions wait.

      Expected: none
      Happened: increment

                decrement
        text: one
        two
        flag: true → false
      To fix this, receive them.
      """
    #expect(failure.text == text)
  }

  @Test func `empty parts are omitted`() {
    let failure = TestFailure(summary: "The test store was never finished.", fix: "call finish().")
    #expect(failure.text == "The test store was never finished.\n\nTo fix this, call finish().")
  }
}
