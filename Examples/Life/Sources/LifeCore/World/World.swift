/// The cells of a game of life, dead or alive, with one bit each.
package struct World: Equatable, Sendable {
  /// The number of columns, a multiple of 64.
  package let width: Int

  /// The number of rows.
  package let height: Int

  /// The bits of the rows from top to bottom, each from left to right, the lowest bit first.
  private(set) var words: [UInt64]

  /// Makes a world without living cells.
  ///
  /// - Parameters:
  ///   - width: The number of columns, a multiple of 64.
  ///   - height: The number of rows.
  package init(width: Int = 448, height: Int = 224) {
    precondition(width > 0 && width.isMultiple(of: 64), "the width of a world must be a positive multiple of 64")
    precondition(height > 0, "the height of a world must be positive")
    (self.width, self.height) = (width, height)
    words = Array(repeating: 0, count: width / 64 * height)
  }

  /// `true` if a cell is alive.
  package subscript(cell: Cell) -> Bool {
    get {
      let (word, bit) = place(of: cell)
      return words[word] >> bit & 1 == 1
    }
    set {
      let (word, bit) = place(of: cell)
      words[word] = words[word] & ~(1 << bit) | (newValue ? 1 : 0) << bit
    }
  }

  /// The number of living cells.
  package var population: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Two adjacent cells, the left one in the lowest bit and the right one in the next.
  ///
  /// - Parameters:
  ///   - cell: The left cell, whose column is even.
  func pair(at cell: Cell) -> UInt64 {
    let (word, bit) = place(of: cell)
    return words[word] >> bit & 3
  }

  /// Brings all cells of a pattern to life, with its upper left corner at a cell.
  mutating func insert(_ pattern: Pattern, at corner: Cell) {
    for cell in pattern.cells { self[corner + cell] = true }
  }

  /// Replaces all cells at random: a quarter of them are alive. The same seed makes the same world.
  mutating func sow(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for word in words.indices { words[word] = generator.next() & generator.next() }
  }

  /// Replaces all cells by the next generation.
  mutating func advance() {
    let before = self
    let columns = width / 64
    for row in 0..<height {
      let above = (row == 0 ? height - 1 : row - 1) * columns
      let below = (row == height - 1 ? 0 : row + 1) * columns
      for column in 0..<columns {
        let left = column == 0 ? columns - 1 : column - 1
        let right = column == columns - 1 ? 0 : column + 1
        words[row * columns + column] =
          Neighborhood(
            above: before.sums(above, left, column, right),
            here: before.sums(row * columns, left, column, right),
            below: before.sums(below, left, column, right)
          ).next
      }
    }
  }

  /// The 64 cells of a word with their neighbors at the left and at the right.
  private func sums(_ row: Int, _ left: Int, _ column: Int, _ right: Int) -> Neighborhood.Row {
    let word = words[row + column]
    return Neighborhood.Row(
      left: word << 1 | words[row + left] >> 63,
      middle: word,
      right: word >> 1 | words[row + right] << 63
    )
  }

  private func place(of cell: Cell) -> (word: Int, bit: Int) {
    let cell = wrapped(cell)
    return (cell.row * (width / 64) + cell.column / 64, cell.column % 64)
  }

  /// The cell of this world at a place that may be beyond its edges.
  func wrapped(_ cell: Cell) -> Cell {
    Cell((cell.column % width + width) % width, (cell.row % height + height) % height)
  }
}
