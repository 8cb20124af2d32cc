import ArborEntities
import Testing

@Suite("Declared indexes")
struct IndexDeclarationTests {
  private struct Twice: IndexedEntity {
    let id: Int

    static let byID = SortedIndex(\Twice.id)

    static var indexes: [any EntityIndex<Twice>] { [byID, byID] }
  }

  private struct Namesakes: IndexedEntity {
    let id: Int

    static let first = ManualOrder<Namesakes>("shelf")
    static let second = ManualOrder<Namesakes>("shelf")

    static var indexes: [any EntityIndex<Namesakes>] { [first, second] }
  }

  private struct Reading: UniquelyIndexedEntity {
    let id: Int
    var value: Double

    static let byValue = GroupedIndex(\Reading.value)
    static let only = UniqueIndex(\Reading.value)

    static var indexes: [any EntityIndex<Reading>] { [byValue, only] }
  }

  @Test func `an index that is listed twice stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EntityTable<Twice>()
    }
    expect(result, contains: "declares an index twice")
  }

  @Test func `two manual orders with the same name stop the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EntityTable<Namesakes>()
    }
    expect(result, contains: "two manual orders with the same name")
  }

  @Test func `a key that is not equal to itself does not count as a key`() throws {
    var readings = try EntityTable([Reading(id: 1, value: .nan), Reading(id: 2, value: .nan), Reading(id: 3, value: 1)])
    readings.checkInvariants()
    #expect(readings.keys(of: Reading.byValue) == [1])
    #expect(readings[Reading.only, .nan] == nil)
    try readings.update(1) { $0.value = 2 }
    try readings.update(3) { $0.value = .nan }
    readings.remove(2)
    readings.checkInvariants()
    #expect(readings[Reading.only, 2]?.id == 1)
    #expect(readings.keys(of: Reading.byValue) == [2])
  }
}
