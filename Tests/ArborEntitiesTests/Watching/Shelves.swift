import Arbor
import ArborEntities
import ArborTesting

/// A state with two tables.
struct Shelves: Sendable {
  var volumes = EntityTable<Volume>()
  var writers = EntityTable<Writer>()
  var steps = 0

  static func store(
    volumes: Int = 3,
    executor: ManualExecutor = ManualExecutor()
  ) -> StoreFactory<Shelves, Mutation<Shelves>> {
    var shelves = Shelves()
    for number in 0..<volumes {
      try! shelves.volumes.insert(Volume(id: .init(number), title: "volume \(number)", writer: "ada"))
    }
    try! shelves.writers.insert(Writer(id: "ada", name: "Ada"))
    return StoreFactory(initialState: shelves, executor: executor) { state, mutation in mutation.apply(to: &state) }
  }
}

struct Volume: Identifiable, Equatable, Sendable {
  var id: TypedID<Volume, Int>
  var title: String
  var writer: Writer.ID
}

struct Writer: Identifiable, Equatable, Sendable {
  let id: TypedID<Writer, String>
  var name: String
}
