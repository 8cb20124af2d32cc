import Arbor
import ArborPersistence
import ArborSync
import Foundation
import SimulatedFiles
import Testing

@Suite("Versions of shared stores")
struct SharedMigrationTests {
  private enum Old {
    struct Board: Codable, Equatable, Sendable { var cards: [String] = [] }

    enum Action: Codable, Sendable {
      case add(String)
      case archive
    }

    static let feature = Feature<Board, Action> { board, action in
      if case .add(let text) = action { board.cards.append(text) }
    }
  }

  private enum New {
    struct Board: Codable, Equatable, Sendable {
      var notes: [String] = []
      var title = "Board"
    }

    enum Action: Codable, Sendable {
      case insert(text: String)
    }

    static let feature = Feature<Board, Action> { board, action in
      if case .insert(let text) = action { board.notes.append(text) }
    }
  }

  private static let form = SharedForm<New.Board, New.Action>(
    actionVersion: 2,
    actionMigrations: [
      .from(1) { form in
        form.rename("add", to: "insert")
        form.rename("insert._0", to: "text")
        form.drop(case: "archive")
      }
    ],
    stateVersion: 2,
    stateMigrations: [.from(1) { $0.rename("cards", to: "notes") }])

  private let log = MemoryLog()

  private func fill(_ actions: [Old.Action], outbox: Storage = .inMemory(), snapshotEvery interval: Int = 1000)
    async throws
  {
    var settings = SyncSettings()
    settings.snapshotInterval = interval
    let ann = try await SharedStore(
      initialState: Old.Board(), feature: Old.feature, log: log, client: "Ann", outbox: outbox, sync: settings)
    for action in actions { try await ann.dispatchConfirmed(action) }
    try await ann.flush()
  }

  private func board(outbox: Storage = .inMemory(), until isReached: (New.Board) -> Bool) async throws -> New.Board {
    let ben = try await SharedStore(
      initialState: New.Board(), feature: New.feature, log: log, client: "Ben", outbox: outbox, form: Self.form)
    for await board in ben.states() where isReached(board) { return board }
    return ben.state
  }

  @Test func `actions and snapshots of an older version are migrated, and new properties have initial values`()
    async throws
  {
    try await fill((1...9).map { .add("\($0)") }, snapshotEvery: 5)
    let found = try await log.connect(LogClient("reader"), reducerVersion: 1)
    #expect(try await log.snapshot(in: found.id) != nil)
    let board = try await board { $0.notes.count == 9 }
    #expect(board == New.Board(notes: (1...9).map { "\($0)" }))
  }

  @Test func `the content of an outbox is migrated`() async throws {
    let folder = SimulatedFolder()
    try await fill([.add("milk"), .add("tea")], outbox: Storage(folder, durability: .full))
    let board = try await board(outbox: Storage(folder.afterKill(), durability: .full)) { $0.notes.count == 2 }
    #expect(board == New.Board(notes: ["milk", "tea"]))
  }

  @Test func `waiting actions of two versions are each sent with their own version`() async throws {
    let folder = SimulatedFolder()
    log.faults = .isDown
    do {
      let ann = try await SharedStore(
        initialState: Old.Board(), feature: Old.feature, log: log, client: "Ann",
        outbox: Storage(folder, durability: .full))
      await ann.dispatchAndWait(.add("milk"))
      try await ann.flush()
    }
    let ann = try await SharedStore(
      initialState: New.Board(), feature: New.feature, log: log, client: "Ann",
      outbox: Storage(folder.afterKill(), durability: .full), form: Self.form)
    await ann.dispatchAndWait(.insert(text: "tea"))
    log.faults = []
    try await ann.dispatchConfirmed(.insert(text: "salt"))
    #expect(ann.confirmed.state.notes == ["milk", "tea", "salt"])
    let id = try await log.connect(LogClient("reader"), reducerVersion: 1).id
    #expect(try await log.actions(behind: 0, atMost: 10, in: id).map(\.version) == [1, 2, 2])
  }

  @Test func `Y4 an action of a shared log cannot be dropped`() async throws {
    try await fill([.add("milk"), .archive])
    let ben = try await SharedStore(
      initialState: New.Board(), feature: New.feature, log: log, client: "Ben", outbox: .inMemory(), form: Self.form)
    var stop: SyncStop?
    for await status in ben.status.states() {
      stop = status.stop
      if stop != nil { break }
    }
    guard case .unreadable(position: 2, let reason) = stop else {
      Issue.record("\(stop as Any)")
      return
    }
    #expect(reason.contains("archive"))
    #expect(ben.confirmed.state.notes == ["milk"])
  }
}
