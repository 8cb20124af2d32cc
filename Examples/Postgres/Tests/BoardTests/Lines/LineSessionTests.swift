import Arbor
import ArborPersistence
import ArborSync
import Testing

@testable import BoardCore

@Suite("A board by lines")
struct LineSessionTests {
  private let log = MemoryLog()

  private func board(of name: String) async throws -> SharedBoard {
    try await SharedStore(
      initialState: Board(), feature: boardFeature(author: name), log: log, client: name, outbox: .inMemory())
  }

  @Test func `each command is answered`() async throws {
    var ann = LineSession(try await board(of: "Ann"))
    #expect(try await ann.answer(.add("milk")) == ["added 1"])
    #expect(try await ann.answer(.add("tea")) == ["added 2"])
    #expect(try await ann.answer(.move(1, .down)) == ["moved 1"])
    #expect(try await ann.answer(.move(2, .up)) == ["moved 2"])
    #expect(try await ann.answer(.assign(1, to: "Ben")) == ["assigned 1"])
    #expect(try await ann.answer(.edit(2, text: "green tea")) == ["edited 2"])
    #expect(try await ann.answer(.list) == ["2 todo green tea", "1 todo milk @Ben", "2 cards"])
    #expect(try await ann.answer(.move(1, .column(.done))) == ["moved 1"])
    #expect(try await ann.answer(.remove(2)) == ["removed 2"])
    #expect(try await ann.answer(.list) == ["1 done milk @Ben", "1 card"])
    #expect(try await ann.answer(.wait(position: 0)) == ["caught up at position 7"])
    #expect(try await ann.answer(.status) == ["connected, 0 waiting, position 7"])
  }

  @Test func `a number refers to the same card as long as the session lasts`() async throws {
    var ann = LineSession(try await board(of: "Ann"))
    var ben = LineSession(try await board(of: "Ben"))
    _ = try await ann.answer(.add("a"))
    _ = try await ann.answer(.add("b"))
    _ = try await ben.answer(.wait(position: 2))
    #expect(try await ben.answer(.remove(1)) == ["removed 1"])
    #expect(try await ben.answer(.add("c")) == ["added 3"])
    _ = try await ann.answer(.wait(position: 4))
    #expect(try await ann.answer(.list) == ["2 todo b", "3 todo c", "2 cards"])
    for number in [0, 1, 4] {
      await #expect(throws: CommandError.noCard(number)) { try await ann.answer(.remove(number)) }
    }
  }

  @Test func `texts of others are harmless`() async throws {
    let mallory = try await board(of: "Mallory")
    var ann = LineSession(try await board(of: "Ann"))
    let action = await mallory.make(.add("\u{1B}[2J\n2 todo forged", to: .todo))
    let id = try #require(action?.signature?.id)
    _ = await mallory.make(.assign(id, to: "\u{9B}31m\u{202E}"))
    _ = try await ann.answer(.wait(position: 2))
    #expect(try await ann.answer(.list) == ["1 todo ␛[2J␊2 todo forged @�31m�", "1 card"])
  }

  @Test func `changes are made while the log is down, and a permanent failure is reported`() async throws {
    let shared = try await board(of: "Ann")
    var ann = LineSession(shared)
    _ = try await ann.answer(.add("a"))
    _ = try await ann.answer(.wait(position: 1))
    log.faults = .isDown
    #expect(try await ann.answer(.add("b")) == ["added 2"])
    _ = await shared.status.state { Standing($0).connection != .connected }
    #expect(
      try await ann.answer(.status) == [
        "offline, 1 waiting, position 1, the log cannot be reached: the connection is down"
      ]
    )
    log.replace()
    log.faults = []
    await #expect(throws: CommandError.stopped("the log of this store is gone, or another log has taken its place")) {
      try await ann.answer(.wait(position: 2))
    }
    #expect(try await ann.answer(.list) == ["1 todo a", "2 todo b", "2 cards"])
  }
}
