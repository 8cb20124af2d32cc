import Arbor
import ArborUI
import Combine
import Testing

@Suite("Publishers")
struct PublisherTests {
  @Test func `Combine is there`() {
    #expect(Just(1).output == 1)
  }
}
