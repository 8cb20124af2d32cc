import Arbor
import ArborPersistence
import ArborSync
import SimulatedFiles
import TestSupport
import Testing

@Suite("Effects of shared stores")
struct SharedEffectTests {
  private let log = MemoryLog()
  private let performed = RecordedValues<String>()

  /// Makes a client that records the effects that it performs.
  private func noting(
    _ name: String,
    outbox: Storage = .inMemory(),
    _ wrap: (Feature<Ledger, LedgerAction>) -> Feature<Ledger, LedgerAction> = { $0 }
  ) async throws -> SharedLedger {
    let feature = ledgerFeature(
      effects: { [performed] state, action in
        if case .add(let text) = action { performed.append("\(name): \(text) of \(state.entries.count)") }
        return .none
      },
      stateEffects: [
        StateEffect(\.upload) { [performed] _ in
          .run { dispatch in
            performed.append("\(name) uploads")
            dispatch(.uploaded)
          }
        },
        StateEffect(onChange: \.total) { [performed] state in
          performed.append("\(name) sees \(state.total)")
          return .none
        },
      ]
    )
    return try await client(name, of: log, outbox: outbox, feature: wrap(feature))
  }

  @Test func `Y3 effects run once when an action is confirmed, at its sender, with the confirmed state`() async throws {
    let ann = try await noting("Ann")
    let ben = try await noting("Ben")
    await ann.caughtUp(to: 0)
    log.faults = .isDown
    await ann.dispatchAndWait(.add("bread"))
    #expect(performed.values == [])
    log.faults = []
    try await ann.dispatchConfirmed(.add("milk"))
    await ben.caughtUp(to: 2)
    #expect(performed.values == ["Ann: bread of 1", "Ann sees 1", "Ann: milk of 2", "Ann sees 2"])
  }

  @Test func `Y3 a state effect is performed by the client whose action began it`() async throws {
    let ann = try await noting("Ann")
    let ben = try await noting("Ben")
    try await ann.dispatchConfirmed(.upload)
    await ben.caughtUp(to: 2)
    await ann.caughtUp(to: 2)
    #expect(performed.values == ["Ann uploads"])
    #expect(ben.confirmed.state.upload.status == .succeeded)
  }

  @Test func `Y3 all clients perform the effects of features that are performed everywhere`() async throws {
    let ann = try await noting("Ann") { $0.performedEverywhere() }
    let ben = try await noting("Ben") { $0.performedEverywhere() }
    try await ann.dispatchConfirmed(.add("milk"))
    await ben.caughtUp(to: 1)
    #expect(Set(performed.values) == ["Ann: milk of 1", "Ann sees 1", "Ben: milk of 1", "Ben sees 1"])
    #expect(performed.values.count == 4)
  }

  @Test func `Y3 scoped features perform effects with the confirmed part`() async throws {
    struct Pair: Codable, Equatable, Sendable {
      var left = Ledger()
      var right: Ledger? = Ledger()
    }
    enum PairAction: Codable, Sendable {
      case left(LedgerAction)
      case right(LedgerAction)

      var left: LedgerAction? { if case .left(let action) = self { action } else { nil } }
      var right: LedgerAction? { if case .right(let action) = self { action } else { nil } }
    }
    let feature = { (name: String) in
      let part = { (side: String) in
        ledgerFeature(
          effects: { [performed] state, action in
            if case .add(let text) = action { performed.append("\(name): \(side) \(text) of \(state.entries.count)") }
            guard case .add("milk") = action else { return .none }
            return .send(.add("with milk"))
          }
        )
      }
      return Feature<Pair, PairAction>.combined(
        part("left").scoped(to: \.left, action: { .left($0) }, extract: \.left),
        part("right").scoped(toOptional: \.right, action: { .right($0) }, extract: \.right)
      )
    }
    let ann = try await SharedStore(
      initialState: Pair(), feature: feature("Ann"), log: log, client: "Ann", outbox: .inMemory())
    let ben = try await SharedStore(
      initialState: Pair(), feature: feature("Ben"), log: log, client: "Ben", outbox: .inMemory())
    try await ann.dispatchConfirmed(.right(.add("milk")))
    try await ben.dispatchConfirmed(.left(.add("bread")))
    for store in [ann, ben] {
      for await status in store.status.states() where status.position == 3 && status.waiting == 0 { break }
    }
    #expect(ann.state == ben.state)
    #expect(ann.state.right?.entries == ["milk", "with milk"])
    #expect(
      Set(performed.values) == ["Ann: right milk of 1", "Ann: right with milk of 2", "Ben: left bread of 1"])
    #expect(performed.values.count == 3)
  }

  @Test func `Y3 a caller that waits for an action's effects also waits for its confirmation`() async throws {
    let gate = Gate()
    let feature = ledgerFeature(effects: { [performed] _, action in
      guard case .add = action else { return .none }
      return .run { _ in
        await gate.pass()
        performed.append("done")
      }
    })
    let ann = try await client("Ann", of: log, feature: feature)
    async let end: Void = ann.perform(.add("milk"))
    await ann.caughtUp(to: 1)
    #expect(performed.values == [])
    gate.open()
    await end
    #expect(performed.values == ["done"])
  }

  @Test func `Y3 only an effect whose note was lost is performed again`() async throws {
    let folder = SimulatedFolder()
    let before: SimulatedFolder
    do {
      let ann = try await noting("Ann", outbox: Storage(folder, durability: .full))
      try await ann.dispatchConfirmed(.add("milk"))
      log.faults = .isDown
      await ann.dispatchAndWait(.add("bread"))
      try await ann.flush()
      before = folder.afterKill()
      log.faults = []
      await ann.caughtUp(to: 2)
    }
    #expect(performed.values.filter { $0.contains(":") } == ["Ann: milk of 1", "Ann: bread of 2"])
    // The process was killed before the outbox had stored the note.
    log.faults = .isDown
    let again = try await noting("Ann", outbox: Storage(before, durability: .full))
    #expect(again.state.entries == ["milk", "bread"])
    #expect(again.status.state.waiting == 1)
    log.faults = []
    await again.caughtUp(to: 2)
    #expect(
      performed.values.filter { $0.contains(":") } == ["Ann: milk of 1", "Ann: bread of 2", "Ann: bread of 2"])
    #expect(again.confirmed.state.entries == ["milk", "bread"])
  }

  @Test func `Y3 a restarted client continues only its own jobs`() async throws {
    let folder = SimulatedFolder()
    let feature = { (name: String) in
      ledgerFeature(stateEffects: [
        StateEffect(while: \.isOpen) { [performed] _ in
          performed.append(name)
          return .run { _ in await cancellation() }
        }
      ])
    }
    do {
      let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full), feature: feature("Ann"))
      try await ann.dispatchConfirmed(.open(true))
      try await ann.flush()
    }
    let ben = try await client("Ben", of: log, feature: feature("Ben"))
    try await ben.dispatchConfirmed(.add("milk"))
    #expect(performed.values == ["Ann"])
    let ann = try await client(
      "Ann", of: log, outbox: Storage(folder.afterKill(), durability: .full), feature: feature("Ann again"))
    await ann.caughtUp(to: 2)
    #expect(performed.values == ["Ann", "Ann again"])
  }

  @Test func `Y3 jobs of elements are distinct, regardless of their ids`() async throws {
    struct Item: Codable, Equatable, Identifiable, Sendable {
      let id: String
      var parts: [Item]? = nil
      var upload = JobState()
    }
    struct Start: Codable, Equatable, Sendable {
      let id: String
    }
    let uploads = Feature<Item, Start>(stateEffects: [
      StateEffect(each: { $0.parts ?? [] }, \.upload) { _, _ in
        .run { _ in await cancellation() }
      }
    ]) { item, _ in
      for index in item.parts?.indices ?? 0..<0 { item.parts?[index].upload.run() }
    }
    let feature = uploads.forEach(\[Item].self, action: { id, _ in Start(id: id) }, extract: { ($0.id, $0) })
    let initial = [Item(id: "a", parts: [Item(id: "b/c")]), Item(id: "a/b", parts: [Item(id: "c")])]
    let ann = try await SharedStore(
      initialState: initial, feature: feature, log: log, client: "Ann", outbox: .inMemory())
    for item in initial { try await ann.dispatchConfirmed(Start(id: item.id)) }
    #expect(ann.session.root.jobs.count == 2)
  }

  @Test(.reports("used after its owner was released"))
  func `Y4 the wait for an action's effects ends when the store is released`() async throws {
    var ann: SharedLedger? = try await client("Ann", of: log)
    await ann?.caughtUp(to: 0)
    log.faults = .isDown
    let store = ann!.asStore
    let status = ann!.status
    async let end: Void = store.perform(.add("milk"))
    for await status in status.states() where status.waiting == 1 { break }
    ann = nil
    await end
    #expect(store.state == nil)
  }
}
