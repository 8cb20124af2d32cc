import ArborEntities

struct Author: Identifiable, Hashable, Codable, Sendable {
  let id: TypedID<Author, String>
  var name: String
}
