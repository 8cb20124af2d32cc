import Arbor
import ArborUI
import FamiliarNames
import Testing

/// Uses the public types that exist beside Apple's frameworks alone, as the suite of the same name does with all others:
/// a name that is also a familiar one does not compile.
@Suite("Names")
struct NameTests {
  private typealias Arbors = (
    StoreReader<Int, Int>, LocalStore<Int, Int>, StatePublisher<Int>, ActivityPublisher<Int>
  )

  @Test func `names for screens collide with none that programs import beside them`() {
    let names = String(reflecting: Arbors.self).dropFirst().dropLast().split(separator: ", ")
    #expect(names.filter { $0.hasPrefix("ArborUI.") }.count == 4)
  }
}
