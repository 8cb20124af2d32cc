import Testing

@testable import BoardCore

@Suite("The note about changes applied after other people's")
struct RebaseNoteTests {
  private func note(_ before: Board, _ after: Board, changes: Int = 1) -> String {
    RebaseNote.text(from: before, to: after, changes: changes, by: "Ann")
  }

  @Test func `a card that was removed is named`() {
    #expect(note(.of("milk"), Board()) == "“milk”, which you changed, was removed in the meantime")
  }

  @Test func `a card that another client has changed is named, with that person`() {
    var after = Board.of("milk")
    after.apply(.edit(.number(1), text: "bread"), .number(2, by: "Ben"))
    #expect(note(.of("milk"), after) == "“milk” is as Ben left it")
  }

  @Test func `a card of an earlier change is not named`() {
    var before = Board.of("old", "new")
    before.apply(.edit(.number(2), text: "newer"), .number(3))
    var after = before
    after.apply(.remove(.number(1)), .number(4, by: "Ben"))
    #expect(note(before, after) == "one of your changes was applied after other people's changes")
    #expect(note(before, after, changes: 2) == "“old”, which you changed, was removed in the meantime")
  }

  @Test func `the changes are counted if none has a different result`() {
    let board = Board.of("a", "b")
    #expect(note(board, board, changes: 2) == "2 of your changes were applied after other people's changes")
  }

  @Test func `a hostile text in it is harmless`() {
    #expect(note(.of("\u{1B}[2J"), Board()).hasPrefix("“␛[2J”"))
  }
}
