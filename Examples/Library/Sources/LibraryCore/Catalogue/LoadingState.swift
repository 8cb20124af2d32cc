/// How far the catalogue is loaded.
struct LoadingState: Equatable, Sendable {
  var loaded = 0
  var skipped = 0

  /// How much of the catalogue was read.
  var bytes = 0

  /// What was wrong with the rows of the last step; not of all, so that the state stays small whatever is read.
  var problems: [CatalogueProblem] = []

  /// Each row is either loaded or skipped.
  var rows: Int { loaded + skipped }
}
