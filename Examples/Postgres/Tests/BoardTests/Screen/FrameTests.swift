import BoardCore
import Testing

@Suite("The drawing of frames")
struct FrameTests {
  private func frame(_ board: Board, _ columns: Int = 40, _ rows: Int = 8) -> Frame {
    var scene = Scene(name: "Ann")
    scene.show(board, confirmed: board)
    return Screen(scene, of: Size(columns: columns, rows: rows)).frame
  }

  @Test func `the first frame clears the screen, and draws each row`() {
    let text = frame(.of("milk")).drawing(over: nil, hasColors: true)
    #expect(text.contains("\u{1B}[2J"))
    for row in 1...8 { #expect(text.contains("\u{1B}[\(row);1H")) }
  }

  @Test func `unchanged rows are not drawn again`() {
    let (old, new) = (frame(.of("milk", "tea")), frame(.of("milk", "bread")))
    let text = new.drawing(over: old, hasColors: true)
    #expect(text.contains("\u{1B}[4;1H"))
    #expect(text.contains("bread"))
    #expect(!text.contains("milk"))
    #expect(!text.contains("\u{1B}[2J"))
    #expect(!new.drawing(over: new, hasColors: true).contains("H"))
  }

  @Test func `a frame of another size is drawn completely`() {
    let text = frame(.of("milk"), 50, 8).drawing(over: frame(.of("milk")), hasColors: true)
    #expect(text.contains("\u{1B}[2J"))
    #expect(text.contains("milk"))
  }

  @Test func `after a text of uncertain width the position is set`() {
    let board = Board.after(.add("牛乳", to: .todo), .assign(.number(1), to: "Ben"))
    #expect(frame(board).drawing(over: nil, hasColors: true).contains("牛乳\u{1B}[0m\u{1B}[6G"))
  }

  @Test func `a frame without colors contains none`() {
    let text = frame(.of("milk")).drawing(over: nil, hasColors: false)
    for color in 30...37 { #expect(!text.contains("\(color)m")) }
    #expect(text.contains("\u{1B}[7m"))
  }
}
