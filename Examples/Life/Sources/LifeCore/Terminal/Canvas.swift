/// A part of a world as text: each character shows two columns and four rows of cells as the dots of a braille pattern.
///
/// - The bits of the dots are defined in https://www.unicode.org/charts/PDF/U2800.pdf: 1, 2, 4 and 40 hexadecimal at
///   the left, from top to bottom, and 8, 10, 20 and 80 at the right.
struct Canvas {
  let world: World

  /// The number of characters in a row, and of rows.
  let size: Size

  /// The cell in the upper left corner.
  let origin: Cell

  /// Shows as much of a world as fits, with the cursor in the middle if that is not the whole world.
  init(of world: World, around cursor: Cell, in room: Size) {
    self.world = world
    let (columns, rows) = (world.width / 2, (world.height + 3) / 4)
    size = Size(columns: min(room.columns, columns), rows: min(room.rows, rows))
    origin = Cell(
      size.columns == columns ? 0 : world.wrapped(cursor + Cell(-size.columns, 0)).column & ~1,
      size.rows == rows ? 0 : world.wrapped(cursor + Cell(0, -size.rows * 2)).row
    )
  }

  /// The character in which a cell is shown, as its column and row.
  func place(of cell: Cell) -> (column: Int, row: Int) {
    let distance = world.wrapped(cell + Cell(-origin.column, -origin.row))
    return (distance.column / 2, distance.row / 4)
  }

  /// A row of characters.
  func text(ofRow row: Int) -> String {
    var text = String.UnicodeScalarView()
    for column in 0..<size.columns {
      text.append(Unicode.Scalar(0x2800 + dots(column, row)) ?? " ")
    }
    return String(text)
  }

  private func dots(_ column: Int, _ row: Int) -> UInt32 {
    var dots: UInt32 = 0
    for line in 0..<4 {
      let pair = world.pair(at: origin + Cell(column * 2, row * 4 + line))
      dots |= pair & 1 == 0 ? 0 : Self.left[line]
      dots |= pair & 2 == 0 ? 0 : Self.right[line]
    }
    return dots
  }

  private static let left: [UInt32] = [0x01, 0x02, 0x04, 0x40]
  private static let right: [UInt32] = [0x08, 0x10, 0x20, 0x80]
}
