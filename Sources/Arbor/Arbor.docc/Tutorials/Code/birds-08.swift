import Arbor
import ArborEntities

struct Notebook: Equatable, Sendable {
  var birds = EntityTable<Bird>()
  var sightings = EntityTable<Sighting>()
  var query = ""
  var found: [Bird.ID]?
}

enum NotebookAction: Equatable, Sendable {
  case saw(Sighting)
  case correct(Sighting.ID, place: String)
  case search(String)
  case found([Bird.ID])
}

let notes = Feature<Notebook, NotebookAction> { notebook, action in
  switch action {
  case .saw(let sighting): try? notebook.sightings.insert(sighting)
  case .correct(let id, let place): notebook.sightings[id]?.place = place
  case .search, .found: break
  }
}

let search = Feature<Notebook, NotebookAction>(
  effects: { notebook, action in
    guard case .search(let query) = action else { return .none }
    if query.isEmpty { return .cancel("search") }
    return .run(key: "search", mode: .debounce(.milliseconds(300))) { [birds = notebook.birds] dispatch in
      dispatch(.found(birds.filter { $0.name.lowercased().contains(query) }.map(\.id)))
    }
  },
  reducer: { notebook, action in
    switch action {
    case .search(let query):
      notebook.query = query
      if query.isEmpty { notebook.found = nil }
    case .found(let ids): notebook.found = ids
    case .saw, .correct: break
    }
  }
)
