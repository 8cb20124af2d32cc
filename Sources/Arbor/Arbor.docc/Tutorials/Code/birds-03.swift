import ArborEntities

struct Bird: Equatable, Identifiable, Sendable {
  let id: TypedID<Bird, Int>
  var name: String
}

struct Sighting: Equatable, Identifiable, Sendable {
  let id: TypedID<Sighting, Int>
  let bird: Bird.ID
  var place: String
}

extension Bird: IndexedEntity {
  static let byName = SortedIndex(\Bird.name)
  static var indexes: [any EntityIndex<Bird>] { [byName] }
}

extension Sighting: IndexedEntity {
  static let byBird = GroupedIndex(\Sighting.bird)
  static var indexes: [any EntityIndex<Sighting>] { [byBird] }
}
