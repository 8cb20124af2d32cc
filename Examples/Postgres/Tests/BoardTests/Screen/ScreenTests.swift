import Foundation
import Testing

@testable import BoardCore

@Suite("The screen")
struct ScreenTests {
  private static func scene(_ board: Board = Board(), confirmed: Board? = nil) -> Scene {
    var scene = Scene(name: "Ann")
    scene.standing.connection = .connected
    scene.show(board, confirmed: confirmed ?? board)
    return scene
  }

  private func lines(_ scene: Scene, _ columns: Int, _ rows: Int) -> [String] {
    Screen(scene, of: Size(columns: columns, rows: rows)).frame.rows.map { row in
      String(row.text.reversed().drop { $0 == " " }.reversed())
    }
  }

  @Test func `an empty board shows the possible commands`() {
    #expect(
      lines(Self.scene(), 60, 9) == [
        " Board · Ann                            no one else is here",
        " To do 0           │ Doing 0           │ Done 0",
        " a adds a card     │                   │",
        "                   │                   │",
        "                   │                   │",
        "                   │                   │",
        "",
        " ● connected · 0 waiting · position 0",
        " a add  e edit  ? help  q quit  s assign  d delete",
      ]
    )
  }

  @Test func `cards are in their columns, with their assignees and viewers`() {
    var board = Board.of("milk", "a text that is too long for its column", "牛乳", "tea")
    board.apply(.move(.number(3), to: .doing, before: nil), .number(5))
    board.apply(.move(.number(4), to: .done, before: nil), .number(6))
    board.apply(.assign(.number(1), to: "Ben"), .number(7))
    var scene = Self.scene(board)
    var presence = Presence(program: UUID(), name: "Cleo")
    presence.card = .number(3)
    scene.hear(presence)
    #expect(
      lines(scene, 70, 12) == [
        " Board · Ann                                          also here: Cleo",
        " To do 2              │ Doing 1              │ Done 1",
        "──────────────────────┼──────────────────────┼────────────────────────",
        " milk            @Ben │ 牛乳           ◂Cleo │ tea",
        " a text that is too…  │                      │",
        "                      │                      │",
        "                      │                      │",
        "                      │                      │",
        "                      │                      │",
        "",
        " ● connected · 0 waiting · position 0",
        " a add  e edit  ? help  q quit  s assign  d delete  ↑↓←→ select",
      ]
    )
  }

  @Test func `a narrow terminal shows one column`() {
    var scene = Self.scene(.of("milk", "bread"))
    #expect(
      lines(scene, 40, 10) == [
        " Board · Ann        no one else is here", " To do 2  Doing 0  Done 0", " milk", " bread", "", "", "", "",
        " ● connected · 0 waiting · position 0", " a add  e edit  ? help  q quit  s assign",
      ]
    )
    _ = scene.press(.arrow(.right))
    #expect(lines(scene, 20, 4) == ["‹ Doing 0 ›", " a adds a card", "", " ● connected · 0 wa…"])
  }

  @Test func `a long column is scrolled to the selected card`() {
    var board = Board()
    for number in 1...9 { board.apply(.add("\(number)", to: .todo), .number(number)) }
    var scene = Self.scene(board)
    #expect(lines(scene, 40, 6)[2...3] == [" 1", " 2"])
    for _ in 1...4 { _ = scene.press(.arrow(.down)) }
    #expect(lines(scene, 40, 8)[2...4] == [" ↑ 4 more", " 5", " ↓ 4 more"])
    _ = scene.press(.end)
    #expect(lines(scene, 40, 8)[2...4] == [" ↑ 7 more", " 8", " 9"])
  }

  @Test func `a tall terminal shows more of the card`() {
    let board = Board.of("one two three four five six seven eight nine ten eleven twelve thirteen")
    var changed = board
    changed.apply(.assign(.number(1), to: "Ben"), .number(2))
    let lines = lines(Self.scene(changed, confirmed: board), 60, 16)
    #expect(lines[3] == "~one two thr… @Ben │                   │")
    #expect(lines[10] == " one two three four five six seven eight nine ten eleven")
    #expect(lines[11] == " twelve thirteen")
    #expect(lines[12].hasPrefix(" assigned to Ben · not confirmed yet · added by Ann"))
  }

  @Test func `the state of the connection is shown, and why it is broken`() {
    var scene = Self.scene()
    scene.standing.connection = .connecting
    #expect(lines(scene, 60, 9)[7] == " ◌ connecting · 0 waiting · position 0")
    scene.standing.connection = .offline("the log cannot be reached: the plug was pulled, as it seems, by somebody")
    scene.standing.waiting = 3
    scene.standing.position = 7
    scene.standing.behind = 2
    #expect(
      lines(scene, 60, 10)[6...8] == [
        "the log cannot be reached: the plug was pulled, as it seems,", "by somebody",
        " ○ offline · 2 unread · 3 waiting · position 7",
      ]
    )
    scene.standing.connection = .stopped("another client has a different state at position 7")
    #expect(
      lines(scene, 60, 10)[6...8] == [
        "Sync has stopped: another client has a different state at", "position 7. Your changes stay on this machine.",
        " ■ stopped · 2 unread · 3 waiting · position 7",
      ]
    )
  }

  @Test func `a notice is shown for a while`() {
    var scene = Self.scene(.of("milk"))
    scene.rebase(from: .of("milk"), to: Board(), changes: 1)
    #expect(lines(scene, 60, 9)[6] == "“milk”, which you changed, was removed in the meantime")
    scene.tick(to: .seconds(9))
    #expect(scene.message != nil)
    scene.tick(to: .seconds(10))
    #expect(lines(scene, 60, 9)[6] == "")
  }

  @Test func `typed text is shown, with the cursor`() {
    var scene = Self.scene(.of("milk"))
    for key in [Key.character("e"), .character("牛"), .arrow(.left)] { _ = scene.press(key) }
    let frame = Screen(scene, of: Size(columns: 40, rows: 9)).frame
    #expect(frame.rows[6].text == "Edit: milk牛")
    #expect(frame.cursor == Frame.Cursor(column: 10, row: 6))
    let narrow = Screen(scene, of: Size(columns: 10, rows: 1)).frame
    #expect(narrow.rows.map(\.text) == ["Edit:milk…"])
    #expect(narrow.cursor == Frame.Cursor(column: 9, row: 0))
  }

  @Test func `changes by others to an edited card are shown`() {
    var scene = Self.scene(.of("milk"))
    _ = scene.press(.character("e"))
    var board = Board.of("milk")
    board.apply(.edit(.number(1), text: "bread"), .number(2, by: "Ben"))
    scene.show(board, confirmed: board)
    #expect(lines(scene, 60, 9)[6] == "Edit (Ben changed it): milk")
    scene.show(Board(), confirmed: Board())
    #expect(lines(scene, 60, 9)[6] == "Removed. Add it again: milk")
  }

  @Test func `the keys are shown`() {
    var scene = Self.scene()
    _ = scene.press(.character("?"))
    #expect(lines(scene, 60, 9)[1] == " ↑↓←→, hjkl       select a card or a column")
    #expect(lines(scene, 60, 9)[8] == " any key back")
  }

  /// Scenes of all modes, with malicious text.
  private static var scenes: [Scene] {
    let evil = "\u{1B}[2J\u{202E}\u{9B}牛" + String(repeating: "e\u{301}\u{301}\u{200D}👩‍👩‍👧‍👦\n", count: 100)
    var board = Board()
    for number in 1...30 {
      board.apply(.add("\(number)\(evil)", to: Column.allCases[number % 3]), .number(number, by: evil))
    }
    board.apply(.assign(.number(3), to: evil), .number(31, by: evil))
    board.apply(
      .edit(.number(3), text: evil),
      Signature(author: evil, date: Date(timeIntervalSinceReferenceDate: .infinity), id: .number(32))
    )
    var scene = scene(board, confirmed: Board())
    scene.hear(Presence(program: UUID(), name: evil))
    let keys: [[Key]] = [[], ["e"], ["a", .paste(evil)], ["d"], ["s", .tab], ["?"], ["l", .end]]
    return keys.flatMap { keys in
      var scene = scene
      for key in keys { _ = scene.press(key) }
      var offline = scene
      offline.standing.connection = .offline(evil)
      var stopped = scene
      stopped.standing.connection = .stopped(evil)
      return [scene, offline, stopped]
    }
  }

  @Test func `a frame has the size of the terminal, and is harmless`() {
    let small = [(0, 0), (1, 1), (2, 1), (1, 5), (3, 3), (7, 2), (12, 4), (20, 5)]
    let large = [(40, 10), (59, 8), (60, 12), (80, 24), (200, 60)]
    for scene in Self.scenes + [Self.scene()] {
      for (columns, rows) in small + large {
        let frame = Screen(scene, of: Size(columns: columns, rows: rows)).frame
        #expect(frame.rows.count == rows)
        #expect(frame.rows.allSatisfy { $0.width <= columns })
        if let cursor = frame.cursor { #expect(cursor.row < rows && cursor.column < max(columns, 1)) }
        let controls = frame.rows.flatMap(\.text.unicodeScalars).filter { scalar in
          scalar.properties.generalCategory == .control || scalar == "\u{202E}"
        }
        #expect(controls.isEmpty)
      }
    }
  }
}
