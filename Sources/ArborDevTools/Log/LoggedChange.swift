/// A part of a store's state that an action changed.
public struct LoggedChange: Codable, Hashable, Sendable {
  /// The store whose state changed.
  public var store: LoggedStore

  /// The path of the part, such as `user.tags[2].name`; empty for the whole state.
  public var path: String

  /// The text of the part before the action; nil if the part didn't exist.
  public var before: String?

  /// The text of the part after the action; nil if the part no longer exists.
  public var after: String?

  /// Makes a change from its parts.
  ///
  /// - Parameters:
  ///   - store: The store whose state changed.
  ///   - path: The path of the part, such as `user.tags[2].name`; empty for the whole state.
  ///   - before: The text of the part before the action; nil if the part didn't exist.
  ///   - after: The text of the part after the action; nil if the part no longer exists.
  public init(store: LoggedStore, path: String, before: String?, after: String?) {
    self.store = store
    self.path = path
    self.before = before
    self.after = after
  }
}

extension LoggedChange: CustomStringConvertible {
  /// The change on one line: `path: before → after`, `path: + after` or `path: - before`.
  public var description: String { description(at: path) }

  /// The change on one line, with the store's name in front of the path.
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
