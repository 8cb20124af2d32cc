/// A part of a store's state that an action has changed.
public struct LoggedChange: Codable, Hashable, Sendable {
  /// The store whose state has changed.
  public var store: LoggedStore

  /// The path of the part, such as `user.tags[2].name`; empty for the whole state.
  public var path: String

  /// Its text before; nil if it was not there.
  public var before: String?

  /// Its text after; nil if it is not there any more.
  public var after: String?

  /// Makes one of its parts.
  ///
  /// - Parameters:
  ///   - store: The store whose state has changed.
  ///   - path: The path of the part, such as `user.tags[2].name`; empty for the whole state.
  ///   - before: The text of the part before the action; nil if it was not there.
  ///   - after: The text of the part after the action; nil if it is not there any more.
  public init(store: LoggedStore, path: String, before: String?, after: String?) {
    self.store = store
    self.path = path
    self.before = before
    self.after = after
  }
}

extension LoggedChange: CustomStringConvertible {
  /// `path: before → after`, `path: + after` or `path: - before`, in one line.
  public var description: String { description(at: path) }

  /// The same, with the store's name in front of the path.
  var fullDescription: String { description(at: store.path(to: path)) }

  private func description(at path: String) -> String {
    let change =
      switch (before, after) {
      case (let before?, let after?): "\(before) → \(after)"
      case (nil, let after?): "+ \(after)"
      case (let before?, nil): "- \(before)"
      case (nil, nil): ""
      }
    return LineText.escaping(path.isEmpty ? change : "\(path): \(change)")
  }
}
