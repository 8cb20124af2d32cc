import Arbor
import ArborEntities

struct Notebook: Equatable, Sendable {
  var birds = EntityTable<Bird>()
  var sightings = EntityTable<Sighting>()
}

enum NotebookAction: Equatable, Sendable {
  case saw(Sighting)
  case correct(Sighting.ID, place: String)
}

let notes = Feature<Notebook, NotebookAction> { notebook, action in
  switch action {
  case .saw(let sighting): try? notebook.sightings.insert(sighting)
  case .correct(let id, let place): notebook.sightings[id]?.place = place
  }
}
