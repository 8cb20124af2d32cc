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
