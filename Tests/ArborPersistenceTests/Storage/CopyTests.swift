import Arbor
import ArborPersistence
import Testing

@Suite("Copies made by saving")
struct CopyTests {
  private struct Tables: Sendable {
    @Stamped var saved = Array(repeating: 0, count: 1000)
    var unsaved = Array(repeating: 0, count: 1000)

    /// The addresses of the arrays in memory.
    var places: [Int] {
      [saved, unsaved].map { array in array.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } }
    }
  }

  private static let feature = Feature<Tables, Int> { tables, value in
    tables.saved[0] = value
    tables.unsaved[0] = value
  }

  private static let parts = [Persisted(\Tables.saved, as: "saved", removeDuplicates: .by(\.$saved))]

  @Test(arguments: [false, true])
  func `a reducer changes large arrays in place, even after a save`(isJournaled: Bool) async throws {
    let storage = Storage.inMemory()
    let journal = Journal(of: Self.feature)
    let monitor: SavingMonitor<Tables>
    if isJournaled {
      _ = try await storage.load(into: Tables(), Self.parts, journal)
      monitor = storage.savingWhenAsked(Self.parts, journal)
    } else {
      _ = try await storage.load(into: Tables(), Self.parts)
      monitor = storage.savingWhenAsked(Self.parts)
    }
    let store = StoreFactory(
      initialState: Tables(),
      feature: Self.feature,
      settings: TreeSettings(monitors: [monitor])
    )
    // Debug builds check the first ten actions with a copy of the state.
    for value in 1...10 { try await store.dispatchDurably(value) }
    var places: [[Int]] = []
    for value in 11...14 {
      try await store.dispatchDurably(value)
      places.append(store.state.places)
    }
    #expect(Set(places).count == 1)
  }

  /// A part with a wrapped value, which gets a new stamp whenever it is reduced.
  struct Wrapping: Codable, Equatable, Sendable {
    @Stamped var items: [Double] = []
  }

  @Test func `P1 a part with a wrapped value counts as the same part after the journal's feature reduces it`()
    async throws
  {
    let feature = Feature<Wrapping, Double> { part, item in part.items.append(item) }
    let (storage, journal) = (Storage.inMemory(), Journal(of: feature, coding: .binary))
    let parts = [Persisted(\Wrapping.self, as: "part", coding: .binary)]
    let (state, _) = try await storage.load(into: Wrapping(), parts, journal)
    let monitors = [storage.savingWhenAsked(parts, journal)]
    let store = StoreFactory(initialState: state, feature: feature, settings: TreeSettings(monitors: monitors))
    // This includes a number that isn't equal to itself.
    for item in [1, 2, .nan] { try await store.dispatchDurably(item) }
    #expect(store.state.items.count == 3)
  }
}
