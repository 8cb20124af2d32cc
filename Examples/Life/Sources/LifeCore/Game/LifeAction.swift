/// The actions of the program.
package enum LifeAction: Equatable, Sendable {
  /// A generation passes.
  case advance

  /// A person sets a pattern, with its upper left corner at a cell.
  case insert(Pattern, at: Cell)

  /// All cells are replaced by chance.
  case sow(seed: UInt64)
}
