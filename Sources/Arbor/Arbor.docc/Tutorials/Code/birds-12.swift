import Arbor
import ArborDevTools
import ArborEntities

let birds: EntityTable<Bird> = [
  Bird(id: 1, name: "Wren"), Bird(id: 2, name: "Tawny owl"), Bird(id: 3, name: "Barn owl"),
]
let recorder = Recorder<Notebook, NotebookAction>()
let factory = StoreFactory(
  initialState: Notebook(birds: birds),
  feature: .combined(notes, search),
  settings: TreeSettings(monitors: [recorder])
)
let rows = factory.derived(joining: \.birds, \.sightings) { Row.all(of: $0, with: $1) }
let shown = Derived.combined(rows, factory.derived(\.found)).derived { rows, found in
  guard let found else { return rows }
  return rows.filter { found.contains($0.bird.id) }
}
let printing = shown.observe { rows in print(rows.map(\.text).joined(separator: "; ")) }
factory.dispatch(.saw(Sighting(id: 1, bird: 3, place: "mill")))
factory.dispatch(.saw(Sighting(id: 2, bird: 1, place: "hedge")))
factory.dispatch(.search("o"))
factory.dispatch(.search("ow"))
factory.dispatch(.search("owl"))
await factory.settled()
factory.dispatch(.correct(1, place: "church"))
await factory.settled()

print("Back:")
try recorder.travel(to: 1)
try recorder.step(by: 1)
recorder.resume()
