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

  @Test func `a search begins when nothing more is typed`() async {
    let clock = TestClock()
    let birds: EntityTable<Bird> = [Bird(id: 1, name: "Wren"), Bird(id: 2, name: "Barn owl")]
    let store = TestStore(initialState: Notebook(birds: birds), feature: search, clock: clock)

    await store.send(.search("w")) { $0.query = "w" }
    clock.advance(by: .milliseconds(299))
    await store.send(.search("owl")) { $0.query = "owl" }
    clock.advance(by: .milliseconds(300))
    await store.receive(.found([2])) { $0.found = [2] }
    await store.send(.search("")) {
      $0.query = ""
      $0.found = nil
    }
    await store.finish()
  }
}
