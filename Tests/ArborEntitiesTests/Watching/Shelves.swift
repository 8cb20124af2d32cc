import Arbor
import ArborEntities
import ArborTesting

/// A state with two tables.
struct Shelves: Sendable {
  var scrolls = EntityTable<Scroll>()
  var scribes = EntityTable<Scribe>()
  var steps = 0

  static func store(
    scrolls: Int = 3,
    executor: ManualExecutor = ManualExecutor()
  ) -> StoreFactory<Shelves, Mutation<Shelves>> {
    var shelves = Shelves()
    for number in 0..<scrolls {
      try! shelves.scrolls.insert(Scroll(id: .init(number), title: "scroll \(number)", scribe: "ada"))
    }
    try! shelves.scribes.insert(Scribe(id: "ada", name: "Ada"))
    return StoreFactory(
      initialState: shelves,
      settings: TreeSettings(executor: executor),
      reducer: { state, mutation in mutation.apply(to: &state) }
    )
  }
}

struct Scroll: Identifiable, Equatable, Sendable {
  var id: TypedID<Scroll, Int>
  var title: String
  var scribe: Scribe.ID
}

struct Scribe: Identifiable, Equatable, Sendable {
  let id: TypedID<Scribe, String>
  var name: String
}
