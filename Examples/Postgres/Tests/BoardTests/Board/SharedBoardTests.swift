import Arbor
import ArborPersistence
import ArborSync
import Foundation
import Testing

@testable import BoardCore

@Suite("Boards on one log")
struct SharedBoardTests {
  private let log = MemoryLog()

  /// - Parameter connection: The connection to the log, if it is a separate one.
  private func board(of name: String, by connection: CuttableConnection? = nil) async throws -> SharedBoard {
    try await SharedStore(
      initialState: Board(), feature: boardFeature(author: name), log: connection ?? log, client: name,
      outbox: .inMemory())
  }

  @Test func `a change is signed once, and shown immediately`() async throws {
    let ann = try await board(of: "Ann")
    log.faults = .isDown
    let action = try #require(await ann.make(.add("milk", to: .todo)))
    let signature = try #require(action.signature)
    #expect(signature.author == "Ann")
    #expect(ann.state.cards == [Card("milk", in: .todo, by: signature)])
    #expect(ann.confirmed.state == Board())
  }

  @Test func `two people who change the same cards while the log is down get the same board`() async throws {
    let ann = try await board(of: "Ann")
    let ben = try await board(of: "Ben")
    let ids = try await [ann.added("milk"), ann.added("bread"), ann.added("tea")]
    await ben.reads(3)
    log.faults = .isDown

    _ = await ann.make(.edit(ids[0], text: "oat milk"))
    _ = await ann.make(.move(ids[1], to: .doing, before: nil))
    _ = await ann.make(.remove(ids[2]))
    _ = await ben.make(.remove(ids[0]))
    _ = await ben.make(.move(ids[1], to: .done, before: nil))
    _ = await ben.make(.assign(ids[2], to: "Ben"))
    _ = await ben.make(.add("jam", to: .todo))
    #expect(ann.state != ben.state)

    log.faults = []
    await ann.reads(10)
    await ben.reads(10)
    #expect(ann.state == ben.state)
    #expect(ann.state == ann.confirmed.state)
    #expect(ann.state.texts(in: .todo) == ["jam"])
    #expect(ann.state.cards.count == 2)
  }

  @Test func `a person whose card was removed meanwhile is notified`() async throws {
    let connection = CuttableConnection(to: log)
    let ann = try await board(of: "Ann", by: connection)
    let ben = try await board(of: "Ben")
    let id = try await ann.added("milk")
    await ben.reads(1)
    let rebases = ann.activities(of: Rebase<Board>.self)
    connection.cut()
    _ = await ann.make(.edit(id, text: "oat milk"))
    try await ben.dispatchConfirmed(BoardAction(.remove(id)))
    connection.mend()
    await ann.reads(3)
    for await rebase in rebases {
      var scene = Scene(name: "Ann")
      scene.rebase(from: rebase.before, to: rebase.after, changes: rebase.actions)
      #expect(scene.message == "“oat milk”, which you changed, was removed in the meantime")
      break
    }
  }

  @Test func `people receive each other's presence`() async throws {
    let ann = try await board(of: "Ann")
    let ben = try await board(of: "Ben")
    let (heard, sender) = AsyncStream<Presence>.makeStream()
    let subscription = ann.observe(messages: Presence.self) { presence, _ in sender.yield(presence) }
    await ben.reads(0)
    let presence = Presence(program: UUID(), name: "Ben")
    try await ben.broadcast(presence)
    for await one in heard {
      #expect(one == presence)
      break
    }
    withExtendedLifetime(subscription) {}
  }
}

extension SharedBoard {
  /// Adds a card, and waits until other clients can read it. Returns its id.
  fileprivate func added(_ text: String) async throws -> Card.ID {
    let action = try #require(await make(.add(text, to: .todo)))
    await reads(0)
    return try #require(action.signature).id
  }

  /// Waits until nothing is pending, and the log was read up to a position.
  func reads(_ position: Int) async {
    _ = await status.state { Standing($0).isCaughtUp && $0.position >= position }
  }
}
