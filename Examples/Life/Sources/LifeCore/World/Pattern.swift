/// A group of living cells with a known behavior, from https://conwaylife.com/wiki.
package enum Pattern: Int, CaseIterable, Sendable {
  case glider, spaceship, rPentomino, acorn, pulsar, gliderGun

  /// The name.
  package var title: String {
    switch self {
    case .glider: "glider"
    case .spaceship: "spaceship"
    case .rPentomino: "r-pentomino"
    case .acorn: "acorn"
    case .pulsar: "pulsar"
    case .gliderGun: "glider gun"
    }
  }

  /// The living cells, relative to the upper left corner.
  var cells: [Cell] {
    rows.enumerated().flatMap { row, text in
      text.enumerated().compactMap { column, character in character == "O" ? Cell(column, row) : nil }
    }
  }

  private var rows: [String] {
    switch self {
    case .glider: [".O.", "..O", "OOO"]
    case .spaceship: [".O..O", "O....", "O...O", "OOOO."]
    case .rPentomino: [".OO", "OO.", ".O."]
    case .acorn: [".O.....", "...O...", "OO..OOO"]
    case .pulsar: Self.pulsarRows
    case .gliderGun: Self.gliderGunRows
    }
  }

  private static let pulsarRows = [
    "..OOO...OOO..",
    ".............",
    "O....O.O....O",
    "O....O.O....O",
    "O....O.O....O",
    "..OOO...OOO..",
    ".............",
    "..OOO...OOO..",
    "O....O.O....O",
    "O....O.O....O",
    "O....O.O....O",
    ".............",
    "..OOO...OOO..",
  ]

  private static let gliderGunRows = [
    "........................O...........",
    "......................O.O...........",
    "............OO......OO............OO",
    "...........O...O....OO............OO",
    "OO........O.....O...OO..............",
    "OO........O...O.OO....O.O...........",
    "..........O.....O.......O...........",
    "...........O...O....................",
    "............OO......................",
  ]
}
