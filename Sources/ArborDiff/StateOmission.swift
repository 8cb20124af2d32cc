/// A part that wasn't completely visited, because it is too large.
package struct StateOmission: Codable, Hashable, Sendable {
  /// The path of the part, in the form of a ``StateChange``'s path.
  package let path: String

  /// The number of omitted parts; nil if it is unknown.
  package let count: Int?

  package init(path: String, count: Int?) {
    self.path = path
    self.count = count
  }
}

extension StateOmission: CustomStringConvertible {
  /// `path: … 9900 more not compared`.
  package var description: String {
    let text = "… \(count.map { "\($0) " } ?? "")more not compared"
    return path.isEmpty ? text : "\(path): \(text)"
  }
}
