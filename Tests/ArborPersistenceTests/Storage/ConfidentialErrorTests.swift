import Arbor
import ArborPersistence
import Testing

@Suite("Confidential values in errors of storages")
struct ConfidentialErrorTests {
  struct Email: Codable, Hashable, Sendable, Confidential {
    var text = "s3cr3t"
  }

  enum Action: Codable, Sendable {
    case login(Email)
  }

  struct State: Equatable, Sendable {
    var count = 0
    var value = Unwritable()
  }

  struct Refusal: Error {
    var email = Email()
  }

  struct Unwritable: Codable, Equatable, Sendable {
    var isRefusing = false

    init() {}

    init(from decoder: any Decoder) throws { throw Refusal() }

    func encode(to encoder: any Encoder) throws {
      if isRefusing { throw Refusal() }
      var container = encoder.singleValueContainer()
      try container.encode(1)
    }
  }

  private let feature = Feature<State, Action> { state, _ in
    state.count += 1
    state.value.isRefusing = true
  }

  @Test func `P4 if an action is refused, its secret is not in the error`() async throws {
    let storage = try Storage(MemoryFolder(), durability: .full)
    let parts = [Persisted(\State.count, as: "count")]
    let journal = Journal(of: feature)
    let (state, _) = try await storage.load(into: State(), parts, journal)
    let saving = storage.savingWhenAsked(parts, journal)
    let ahead = Feature<State, Action>(interceptors: [saving.writeAhead()])
    let factory = StoreFactory(
      initialState: state,
      feature: .combined(feature, ahead),
      settings: TreeSettings(monitors: [saving])
    )
    try await storage.close()
    let error = await #expect(throws: StorageError.self) { try await factory.dispatchDurably(.login(Email())) }
    #expect("\(try #require(error))".hasPrefix("Action(‹redacted›) was not reduced: "))
    #expect(factory.state.count == 0)
  }

  @Test func `P4 if a part throws a secret when it is encoded or decoded, the secret is not in the error`() async throws
  {
    let folder = MemoryFolder()
    let storage = try Storage(folder, durability: .full)
    let parts = [Persisted(\State.value, as: "value")]
    let (state, _) = try await storage.load(into: State(), parts)
    let factory = StoreFactory(
      initialState: state,
      feature: feature,
      settings: TreeSettings(monitors: [storage.savingWhenAsked(parts)])
    )
    try await storage.flush()
    factory.dispatch(.login(Email()))
    let error = await #expect(throws: StorageError.self) { try await storage.flush() }
    #expect(error == .cannotEncode("value", path: "", reason: "Refusal(‹redacted›)"))
    storage.endAsIfKilled()
    let (_, report) = try await Storage(folder, durability: .full).load(
      into: State(), [Persisted(\State.value, as: "value")])
    #expect(report.notes.contains { $0.contains("Refusal(‹redacted›)") }, "\(report.notes)")
    #expect(!report.notes.joined().contains("s3cr3t"))
    withExtendedLifetime(factory) {}
  }
}
