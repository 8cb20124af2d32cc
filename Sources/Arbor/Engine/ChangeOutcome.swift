/// The outcome of changes that reducers apply by themselves, of which any may not take place.
@usableFromInline
enum ChangeOutcome {
  /// None was applied.
  case none

  /// At least one has taken place.
  case made

  /// None of them has taken place.
  case failed
}
