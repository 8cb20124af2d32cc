import ArborEntities
import ArborTesting
import Testing

@testable import Birds

struct BirdsTests {
  @Test func `a sighting is kept once`() async {
    let store = TestStore(initialState: Notebook(birds: [Bird(id: 1, name: "Wren")]), feature: notes)
    let sighting = Sighting(id: 1, bird: 1, place: "hedge")

    await store.send(.saw(sighting)) { try $0.sightings.insert(sighting) }
    await store.send(.saw(sighting))
    await store.send(.correct(1, place: "lane")) { $0.sightings[1]?.place = "lane" }
    await store.finish()
  }
}
