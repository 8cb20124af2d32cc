import ArborEntities

/// A writer of books. There is one of each name.
struct Author: Identifiable, Equatable, Sendable {
  let id: TypedID<Author, Int>
  let name: String
}

extension Author: UniquelyIndexedEntity {
  static let byName = UniqueIndex(\Author.name)

  static var indexes: [any EntityIndex<Author>] { [byName] }
}
