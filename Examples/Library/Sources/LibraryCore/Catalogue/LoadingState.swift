/// The progress of the loading of the catalogue.
struct LoadingState: Equatable, Sendable {
  var loaded = 0
  var skipped = 0

  /// The number of bytes of the catalogue that were read.
  var bytes = 0

  /// The problems of the rows of the last step; not of all, so that the state stays small whatever is read.
  var problems: [CatalogueProblem] = []

  /// Each row is either loaded or skipped.
  var rows: Int { loaded + skipped }
}
