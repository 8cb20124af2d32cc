/// The place of a cell in a world.
///
/// - A world has no edges: its right side continues at its left, and its bottom at its top.
package struct Cell: Equatable, Sendable {
  package var column: Int
  package var row: Int

  package init(_ column: Int, _ row: Int) {
    (self.column, self.row) = (column, row)
  }

  static func + (cell: Cell, distance: Cell) -> Cell {
    Cell(cell.column + distance.column, cell.row + distance.row)
  }
}
