/// One part that differs.
package struct StateChange: Codable, Hashable, Sendable {
  /// The path, such as `user.tags[2].name`; empty for the whole.
  package let path: String

  /// Its text before; nil if it was not there.
  package let before: String?

  /// Its text afterward; nil if it is gone.
  package let after: String?
}

extension StateChange: CustomStringConvertible {
  /// `path: before → after`, `path: + after` or `path: - before`.
  package var description: String {
    let change =
      switch (before, after) {
      case (let before?, let after?): "\(before) → \(after)"
      case (nil, let after?): "+ \(after)"
      case (let before?, nil): "- \(before)"
      case (nil, nil): ""
      }
    return path.isEmpty ? change : "\(path): \(change)"
  }
}
