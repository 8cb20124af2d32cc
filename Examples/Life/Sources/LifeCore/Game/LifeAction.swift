/// The actions of the program.
package enum LifeAction: Equatable, Sendable {
  /// A generation passes.
  case advance

  /// A person inserts a pattern, with its upper left corner at a cell.
  case insert(Pattern, at: Cell)

  /// All cells are replaced at random.
  case sow(seed: UInt64)
}
