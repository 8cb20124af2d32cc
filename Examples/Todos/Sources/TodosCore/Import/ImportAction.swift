/// What can happen to an import.
enum ImportAction: Equatable, Sendable {
  /// Begins to read a text file, whose items get IDs from the given one on.
  case start(path: String, firstID: Int)
  case progress(lines: Int)
  case finish(items: Int)
  case fail(reason: String)
}
