import Arbor
import ArborEntities

/// The cost of observing records.
let entityWatchingRows = [
  Row(workload: "10,000 watchers of 10,000 records, one of which changes, an action", objects: 700, budget: 1) {
    scale in
    let (count, actions) = (scale.count(10_000), scale.count(10_000))
    let factory = StoreFactory<EntityTable<Volume>, Int>(initialState: try! EntityTable(Volume.all(count))) {
      table, id in
      try! table.update(id) { $0.copies &+= 1 }
    }
    let watchers = (0..<count).map { id in
      factory.derived(entity: id, in: \.self).observe(initial: false) { (volume: Volume?) in consume(volume) }
    }
    return {
      let store = factory.rootStore()
      return nanoseconds(perOperationOf: actions) {
        store.whileHeld { for action in 0..<actions { store.dispatch(action &* 7919 % count) } }
        withExtendedLifetime(watchers) {}
      }
    }
  },
  Row(
    workload: "10,000 watchers of records that do not change, an action", limit: "without watchers, and 5 objects",
    budget: 1
  ) {
    scale in
    let (count, actions) = (scale.count(10_000), scale.count(100_000))
    let factories = [count, 0].map { watched in
      let factory = StoreFactory<Library, Int>(initialState: Library(count)) { library, number in
        library.number &+= number
      }
      let watchers = (0..<watched).map {
        factory.derived(entity: $0, in: \.volumes).observe { (volume: Volume?) in consume(volume) }
      }
      return (factory, watchers)
    }
    func flood(_ factory: StoreFactory<Library, Int>) -> Double {
      let store = factory.rootStore()
      return nanoseconds(perOperationOf: actions) {
        store.whileHeld { for action in 0..<actions { store.dispatch(action) } }
      }
    }
    return (work: { flood(factories[0].0) }, limit: { flood(factories[1].0) + nanoseconds(ofObjects: 5) })
  },
]

private struct Library: Sendable {
  var volumes: EntityTable<Volume>
  var number = 0

  init(_ count: Int) {
    volumes = try! EntityTable(Volume.all(count))
  }
}
