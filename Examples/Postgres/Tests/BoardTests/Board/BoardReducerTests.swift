import BoardCore
import Foundation
import Testing

@Suite("The reducer of the board")
struct BoardReducerTests {
  @Test func `a card is added at the end, with the id of its signature`() {
    let board = Board.of("milk", "bread")
    #expect(board.texts(in: .todo) == ["milk", "bread"])
    #expect(board.cards.map(\.id) == [.number(1), .number(2)])
  }

  @Test func `a card that another client removed is not edited, assigned or moved`() {
    let board = Board.after(
      .add("milk", to: .todo),
      .remove(.number(1)),
      .edit(.number(1), text: "bread"),
      .assign(.number(1), to: "Ben"),
      .move(.number(1), to: .done, before: nil),
      .remove(.number(1))
    )
    #expect(board == Board())
  }

  @Test func `a card is moved in front of its neighbor's current place`() {
    var board = Board.of("a", "b", "c", "d")
    board.apply(.move(.number(2), to: .todo, before: nil), .number(5, by: "Ben"))
    board.apply(.move(.number(4), to: .todo, before: .number(2)), .number(6))
    #expect(board.texts(in: .todo) == ["a", "c", "d", "b"])
  }

  @Test(arguments: [BoardChange.remove(.number(2)), .move(.number(2), to: .done, before: nil)])
  func `a card whose neighbor is gone is moved to the end`(change: BoardChange) {
    var board = Board.of("a", "b", "c")
    board.apply(change, .number(4, by: "Ben"))
    board.apply(.move(.number(1), to: .todo, before: .number(2)), .number(5))
    #expect(board.texts(in: .todo) == ["c", "a"])
  }

  @Test func `the last of two edits is visible`() {
    var board = Board.of("milk")
    board.apply(.edit(.number(1), text: "bread"), .number(2, by: "Ben"))
    board.apply(.edit(.number(1), text: "tea"), .number(3, by: "Cleo"))
    #expect(board.texts(in: .todo) == ["tea"])
    #expect(board[.number(1)]?.changed.author == "Cleo")
    #expect(board[.number(1)]?.added.author == "Ann")
  }

  @Test func `a change that changes nothing leaves no signature`() {
    let board = Board.of("a", "b")
    var other = board
    other.apply(.edit(.number(1), text: "a"), .number(3, by: "Ben"))
    other.apply(.edit(.number(1), text: ""), .number(4, by: "Ben"))
    other.apply(.assign(.number(1), to: nil), .number(5, by: "Ben"))
    other.apply(.move(.number(2), to: .todo, before: nil), .number(6, by: "Ben"))
    other.apply(.move(.number(2), to: .todo, before: .number(2)), .number(7, by: "Ben"))
    #expect(other == board)
  }

  @Test func `an action without a signature, with an empty card or with a known id has no effect`() {
    var board = Board.of("milk")
    boardReducer(&board, BoardAction(.remove(.number(1))))
    board.apply(.add("", to: .todo), .number(2))
    board.apply(.add("milk again", to: .done), .number(1))
    #expect(board == Board.of("milk"))
  }

  @Test func `an action is the same after it was read from the log`() throws {
    let changes: [BoardChange] = [
      .add("🥛", to: .doing), .edit(.number(1), text: "a"), .assign(.number(1), to: nil),
      .move(.number(1), to: .done, before: .number(2)), .remove(.number(1)),
    ]
    for change in changes {
      let action = BoardAction(change, by: Signature(author: "Ann", date: Date(), id: UUID()))
      #expect(try JSONDecoder().decode(BoardAction.self, from: JSONEncoder().encode(action)) == action)
    }
  }
}
