import Arbor
import ArborEntities

let birds: EntityTable<Bird> = [
  Bird(id: 1, name: "Wren"), Bird(id: 2, name: "Tawny owl"), Bird(id: 3, name: "Barn owl"),
]
let factory = StoreFactory(initialState: Notebook(birds: birds), feature: notes)
factory.dispatch(.saw(Sighting(id: 1, bird: 3, place: "mill")))
factory.dispatch(.saw(Sighting(id: 2, bird: 1, place: "hedge")))
factory.dispatch(.saw(Sighting(id: 3, bird: 3, place: "church")))

let notebook = factory.state
for bird in notebook.birds[Bird.byName] {
  print(bird.name, notebook.sightings[Sighting.byBird, bird.id].count)
}
