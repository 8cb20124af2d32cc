/// What an action leaves to print.
enum Output: Equatable, Sendable {
  case nothing
  case line(String)
  case list
  case statistics
  case progress(lines: Int)
  case help
  case error(String)
  case end

  /// What is left to print after an action was reduced.
  init(of action: AppAction) {
    self =
      switch action {
      case .list(.add(let id, _)): .line("added \(id)")
      case .list(.done(let id)): .line("done \(id)")
      case .list(.undone(let id)): .line("undone \(id)")
      case .list(.remove(let id)): .line("removed \(id)")
      case .list(.edit(let id, _)): .line("edited \(id)")
      case .list(.undo(let id)): .line("undid \(id)")
      case .filter(.show): .list
      case .statistics(.show): .statistics
      case .importing(.start): .progress(lines: 0)
      case .importing(.progress(let lines)): .progress(lines: lines)
      case .importing(.finish(let items)): .line("imported \(items) items")
      case .importing(.fail(let reason)), .reject(let reason): .error(reason)
      case .list(.import), .editor: .nothing
      case .help: .help
      case .quit: .end
      }
  }
}
