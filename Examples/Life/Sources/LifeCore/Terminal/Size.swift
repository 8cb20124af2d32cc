/// The size of a terminal, in characters.
package struct Size: Equatable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
  }

  /// The smallest size that can show the game.
  static let smallest = Size(columns: 60, rows: 12)
}
