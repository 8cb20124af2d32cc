/// A part of which not all was looked at, as there is too much.
package struct StateOmission: Codable, Hashable, Sendable {
  /// The path of the part, as that of a ``StateChange``.
  package let path: String

  /// The number of omitted parts; nil if nobody has counted them.
  package let count: Int?

  package init(path: String, count: Int?) {
    self.path = path
    self.count = count
  }
}

extension StateOmission: CustomStringConvertible {
  /// `path: … 9900 more not looked at`.
  package var description: String {
    let text = "… \(count.map { "\($0) " } ?? "")more not looked at"
    return path.isEmpty ? text : "\(path): \(text)"
  }
}
