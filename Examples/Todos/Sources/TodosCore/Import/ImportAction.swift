/// The actions of an import.
enum ImportAction: Equatable, Sendable {
  /// Begins to read a text file, whose items get IDs from the given one on.
  case start(path: String, firstID: Int)
  case progress(lines: Int)

  /// The whole file was read, with these items, possibly none.
  case read(firstID: Int, texts: [String])
  case fail(reason: String)
  case cancel
}
