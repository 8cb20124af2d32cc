import Arbor
import ArborUI
import FamiliarNames
import Testing

/// Uses the public types that exist only with Apple's frameworks. The suite of the same name uses all others. A name
/// that is also a familiar one does not compile.
@Suite("Names")
struct NameTests {
  private typealias Arbors = (
    StoreReader<Int, Int>, LocalStore<Int, Int>, StatePublisher<Int>, ActivityPublisher<Int>
  )

  @Test func `names for screens do not collide with any that programs import next to them`() {
    let names = String(reflecting: Arbors.self).dropFirst().dropLast().split(separator: ", ")
    #expect(names.filter { $0.hasPrefix("ArborUI.") }.count == 4)
  }
}
