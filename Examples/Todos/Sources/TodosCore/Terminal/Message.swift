/// A message to print. It is an activity, because it is an event and not a state.
enum Message: Equatable, Sendable {
  case line(String)
  case list
  case statistics
  case progress(lines: Int)
  case help
  case error(String)

  /// Makes the answer to an action; nil if it has none.
  init?(answering action: AppAction) {
    switch action {
    case .list(.add(let id, _)): self = .line("added \(id)")
    case .list(.done(let id)): self = .line("done \(id)")
    case .list(.undone(let id)): self = .line("undone \(id)")
    case .list(.remove(let id)): self = .line("removed \(id)")
    case .list(.edit(let id, _)): self = .line("edited \(id)")
    case .list(.undo(let id)): self = .line("undid \(id)")
    case .list(.redo(let id)): self = .line("redid \(id)")
    case .list(.import(_, let texts)): self = .line("imported \(texts.count) items")
    case .filter(.show): self = .list
    case .statistics(.show): self = .statistics
    case .importing(.start): self = .progress(lines: 0)
    case .importing(.progress(let lines)): self = .progress(lines: lines)
    case .importing(.read(_, let texts)):
      // The list reports the items that it receives.
      guard texts.isEmpty else { return nil }
      self = .line("imported 0 items")
    case .importing(.fail(let reason)): self = .error(reason)
    case .importing(.cancel): self = .line("import canceled")
    case .editor: return nil
    }
  }
}
