/// The progress of the loading of the catalog.
struct LoadingState: Equatable, Sendable {
  var loaded = 0
  var skipped = 0

  /// The number of bytes of the catalog read so far.
  var bytes = 0

  /// The problems in the rows of the last step; not all problems, so that the state stays small for any file.
  var problems: [CatalogueProblem] = []

  /// Each row is either loaded or skipped.
  var rows: Int { loaded + skipped }
}
