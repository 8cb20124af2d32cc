import ArborEntities

struct Row: Equatable, Sendable {
  let bird: Bird
  let places: [String]

  var text: String { places.isEmpty ? bird.name : "\(bird.name) (\(places.joined(separator: ", ")))" }
}

extension Row {
  static func all(of birds: EntityTable<Bird>, with sightings: EntityTable<Sighting>) -> [Row] {
    birds[Bird.byName].map { bird in
      Row(bird: bird, places: sightings[Sighting.byBird, bird.id].map(\.place))
    }
  }
}
