import ArborEntities

/// An author of books. There is one for each name.
struct Author: Identifiable, Equatable, Sendable {
  let id: TypedID<Author, Int>
  let name: String
}

extension Author: UniquelyIndexedEntity {
  static let byName = UniqueIndex(\Author.name)

  static var indexes: [any EntityIndex<Author>] { [byName] }
}
