import Arbor
import ArborEntities
import ArborPersistence
import SimulatedFiles
import Testing

@Suite("Changes that == does not see")
struct UnseenChangeTests {
  struct Town: Identifiable, Codable, Equatable, Sendable {
    var id = 1
    var people = 0
    var note = ""

    static func == (left: Town, right: Town) -> Bool { left.id == right.id && left.people == right.people }
  }

  struct State: Sendable {
    var town = Town()
    var name = "Orl\u{E9}"
    var towns: EntityTable = [Town()]
  }

  enum Action: Codable, Sendable {
    case note(String)
    case people(Int)
    case name(String)
  }

  private static let feature = Feature<State, Action> { state, action in
    switch action {
    case .note(let note):
      state.town.note = note
      state.towns[1]?.note = note
    case .people(let people):
      state.town.people = people
      state.towns[1]?.people = people
    case .name(let name): state.name = name
    }
  }

  private let parts = [
    Persisted(\State.town, as: "town"), Persisted(\State.name, as: "name"), Persisted(\State.towns, as: "towns"),
  ]
  private let folder = SimulatedFolder()

  private func stored() async throws -> State {
    let storage = try Storage(folder.afterKill(), durability: .full)
    return try await storage.load(into: State(), parts).state
  }

  @Test func `P1 a change that == does not see is stored with the next visible change of its part`() async throws {
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: State(), parts)
    let saving = storage.savingWhenAsked(parts)
    let factory = StoreFactory(initialState: state, feature: Self.feature, settings: TreeSettings(monitors: [saving]))
    try await factory.dispatchDurably(.people(1))
    try await factory.dispatchDurably(.note("unseen"))
    try await factory.dispatchDurably(.name("Orle\u{301}"))
    #expect(factory.state.towns[1]?.note == "unseen" && factory.state.name.utf8.count == 6)
    let before = try await stored()
    #expect(before.town.people == 1 && before.town.note == "" && before.towns[1]?.note == "")
    #expect(before.name.utf8.count == 5)
    try await factory.dispatchDurably(.people(2))
    let after = try await stored()
    #expect(after.town.note == "unseen" && after.towns[1]?.note == "unseen")
  }

  @Test func `P1 a journal stores the action whose change == does not see`() async throws {
    let journal = Journal(of: Self.feature)
    let storage = try Storage(folder, durability: .full)
    let (state, _) = try await storage.load(into: State(), parts, journal)
    let saving = storage.savingWhenAsked(parts, journal)
    let factory = StoreFactory(initialState: state, feature: Self.feature, settings: TreeSettings(monitors: [saving]))
    try await factory.dispatchDurably(.note("unseen"))
    let next = try Storage(folder.afterKill(), durability: .full)
    let found = try await next.load(into: State(), parts, journal).state
    #expect(found.town.note == "unseen" && found.towns[1]?.note == "unseen")
  }
}
