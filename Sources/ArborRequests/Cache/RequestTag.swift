/// A label of answers, by which changes find the entries that they make stale.
///
/// ```swift
/// extension RequestTag {
///   static let albums = RequestTag("album")
///   static func album(_ id: Album.ID) -> RequestTag { RequestTag("album", id) }
/// }
/// ```
///
/// - Invalidating a tag without an id reaches all tags of its name. Invalidating one with an id reaches only that tag.
public struct RequestTag: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The name, usually of a type of records.
  public let name: String

  /// The description of the id; nil for a tag of all records.
  public let id: String?

  /// Makes the tag of all records with a name.
  ///
  /// - Parameter name: The name.
  public init(_ name: String) {
    self.name = name
    id = nil
  }

  /// Makes the tag of one record.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - id: The id of the record. Ids are distinguished by their descriptions.
  public init(_ name: String, _ id: some Hashable) {
    self.name = name
    self.id = "\(id)"
  }

  /// The name and the id: `album(7)`.
  public var description: String { id.map { "\(name)(\($0))" } ?? name }

  /// Returns `true` if invalidating this tag makes an answer with another tag stale.
  func reaches(_ other: RequestTag) -> Bool {
    name == other.name && (id == nil || id == other.id)
  }
}
