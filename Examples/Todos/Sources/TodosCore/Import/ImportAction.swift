/// What can happen to an import. Its items come as an action of the list, which ends it.
enum ImportAction: Equatable, Sendable {
  /// Begins to read a text file, whose items get IDs from the given one on.
  case start(path: String, firstID: Int)
  case progress(lines: Int)

  /// There was nothing in the file, or its items are in the list.
  case end
  case fail(reason: String)
  case cancel
}
