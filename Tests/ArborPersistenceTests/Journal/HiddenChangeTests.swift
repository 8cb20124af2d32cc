import Arbor
import ArborEntities
import ArborPersistence
import SimulatedFiles
import Testing

@Suite("Parts whose `==` does not see every change")
struct HiddenChangeTests {
  /// A part with values that can be equal but not identical, and with a property that its `==` ignores.
  struct Part: Codable, Equatable, Sendable {
    var isShown = true  // In memory, padding bytes follow this property.
    var text = "e\u{301}"
    var zero = 0.0
    var unseen = 0
    var result = 0

    static func == (left: Part, right: Part) -> Bool {
      (left.isShown, left.text, left.zero, left.result) == (right.isShown, right.text, right.zero, right.result)
    }
  }

  enum Change: String, CaseIterable, Codable, Sendable {
    case text, sign, unseen
  }

  enum Action: Sendable {
    case hidden(Change)
    case sum(Int)

    var sum: Int? { if case .sum(let number) = self { number } else { nil } }
  }

  private static let feature = Feature<Part, Action>(reducer: reduce)

  @Sendable
  private static func reduce(_ part: inout Part, _ action: Action) {
    switch action {
    case .hidden(.text): part.text = "\u{e9}"
    case .hidden(.sign): part.zero = -0.0
    case .hidden(.unseen): part.unseen = 5
    case .sum(let number):
      part.result += number * (part.text.unicodeScalars.count * 10 + (part.zero.sign == .minus ? 1 : 0) + part.unseen)
    }
  }

  private let folder = SimulatedFolder()

  private func open(
    _ folder: SimulatedFolder,
    beginningWith change: Change? = nil
  ) async throws -> (storage: Storage, store: StoreFactory<Part, Action>) {
    let journal = Journal(of: Self.feature, action: Action.sum, extract: \.sum)
    let parts = [Persisted(\Part.self, as: "part")]
    let storage = try Storage(folder, durability: .full)
    var (state, _) = try await storage.load(into: Part(), parts, journal)
    if let change { Self.reduce(&state, .hidden(change)) }
    let monitors = [storage.savingWhenAsked(parts, journal)]
    return (
      storage, StoreFactory(initialState: state, feature: Self.feature, settings: TreeSettings(monitors: monitors))
    )
  }

  @Test(arguments: Change.allCases)
  func `P1 a value that an action reads is there at the next start, even if == did not see it change`(change: Change)
    async throws
  {
    let (storage, store) = try await open(folder)
    try await store.dispatchDurably(.sum(1))
    store.dispatch(.hidden(change))
    try await store.dispatchDurably(.sum(100))
    let result = store.state.result
    #expect(result != 20 * 101)
    let again = try await open(folder.afterKill())
    #expect(again.store.state.result == result)
    withExtendedLifetime(storage) {}
  }

  @Test(arguments: Change.allCases)
  func `P1 a value that a store begins with is there at the next start, even if == does not see it`(change: Change)
    async throws
  {
    let (storage, store) = try await open(folder, beginningWith: change)
    try await store.dispatchDurably(.sum(1))
    let result = store.state.result
    #expect(result != 20)
    let again = try await open(folder.afterKill())
    #expect(again.store.state.result == result)
    withExtendedLifetime(storage) {}
  }

  @Test func `an action that changes nothing causes no write, regardless of the padding bytes`() async throws {
    let (storage, store) = try await open(folder)
    try await store.dispatchDurably(.sum(1))
    let before = folder.operations
    try await store.dispatchDurably(.hidden(.text))
    let after = folder.operations
    #expect(after > before)
    try await store.dispatchDurably(.hidden(.text))
    #expect(folder.operations == after)
    withExtendedLifetime(storage) {}
  }

  /// A part that is not equal to its decoded copy, and whose set has another order in each copy.
  struct Compared: Codable, Equatable, Sendable {
    struct Record: Codable, Equatable, Identifiable, Sendable {
      var id: Int
    }

    var table = EntityTable<Record>()
    var number = Double.nan
    var tags: Set<Int> = []

    static func == (left: Compared, right: Compared) -> Bool {
      left.table.stamp == right.table.stamp && left.number == right.number && left.tags == right.tags
    }
  }

  @Test func `P1 a part whose equal copies have different bytes counts as the same part`() async throws {
    let feature = Feature<Compared, Int> { part, number in
      try? part.table.insert(Compared.Record(id: number))
      for tag in 0..<40 { part.tags.insert(number * 100 + tag) }
    }
    let (storage, journal) = (Storage.inMemory(), Journal(of: feature, coding: .binary))
    let parts = [Persisted(\Compared.self, as: "part", coding: .binary)]
    let (state, _) = try await storage.load(into: Compared(), parts, journal)
    let monitors = [storage.savingWhenAsked(parts, journal)]
    let store = StoreFactory(initialState: state, feature: feature, settings: TreeSettings(monitors: monitors))
    for number in 1...8 { try await store.dispatchDurably(number) }
    #expect(store.state.tags.count == 320)
  }
}
