import Testing

@testable import LifeCore

@Suite("The screen")
struct ScreenTests {
  @Test func `a character shows eight cells`() {
    let cells = (0..<8).map { Cell($0 % 2, $0 / 2) }
    let characters = cells.map { cell in
      var world = World(width: 64, height: 4)
      world[cell] = true
      return canvas(of: world).text(ofRow: 0).unicodeScalars.first!.value - 0x2800
    }
    #expect(characters == [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80])
  }

  @Test func `a world that fits is shown completely, and another one around the cursor`() {
    let world = World(width: 64, height: 32)
    let whole = Canvas(of: world, around: Cell(60, 30), in: Size(columns: 100, rows: 100))
    #expect(whole.size == Size(columns: 32, rows: 8))
    #expect(whole.origin == Cell(0, 0))
    let part = Canvas(of: world, around: Cell(3, 30), in: Size(columns: 10, rows: 4))
    #expect(part.size == Size(columns: 10, rows: 4))
    #expect(part.place(of: Cell(3, 30)) == (5, 2))
  }

  @Test(arguments: [Size(columns: 60, rows: 12), Size(columns: 100, rows: 30), Size(columns: 300, rows: 90)])
  func `there are as many lines as rows, and none is too long`(size: Size) {
    let game = Game(seed: 1)
    for _ in 0..<70 { game.advance() }
    game.perform(.insert(.glider))
    game.perform(.step(-40))
    let lines = Screen.lines(of: game.moment, in: size, speed: "60 frames/s").map(\.withoutStyles)
    #expect(lines.count == size.rows)
    #expect(lines.allSatisfy { $0.count <= size.columns })
    #expect(lines[0].hasPrefix("● the past  generation 31 "))
    #expect(lines[0].hasSuffix("60 frames/s"))
    #expect(lines.joined().filter { $0 == "+" }.count == 1)
  }

  @Test(arguments: [Size(columns: 59, rows: 30), Size(columns: 80, rows: 11), Size(columns: 1, rows: 1)])
  func `a terminal that is too small is reported`(size: Size) {
    let lines = Screen.lines(of: Game(seed: 1).moment, in: size)
    #expect(lines.count == size.rows)
    #expect("The terminal is too small: 60 columns".hasPrefix(lines[0].prefix(20)))
    #expect(lines[0].count <= size.columns)
  }

  @Test func `the timeline shows inserted and removed patterns, and the moment`() {
    let game = Game(seed: 1)
    #expect(Timeline.text(of: game.moment, width: 5) == "────●")
    game.perform(.insert(.glider))
    for _ in 0..<49 { game.advance() }
    game.perform(.insert(.acorn))
    for _ in 0..<49 { game.advance() }
    #expect(Timeline.text(of: game.moment, width: 11) == "◆────◆────●")
    game.perform(.leaveOut)
    game.perform(.step(-20))
    #expect(Timeline.text(of: game.moment, width: 11) == "◆────◇──▲──")
  }

  private func canvas(of world: World) -> Canvas {
    Canvas(of: world, around: Cell(0, 0), in: Size(columns: 100, rows: 100))
  }
}

extension String {
  var withoutStyles: String { replacing(/\u{1B}\[[0-9;]*m/, with: "") }
}
