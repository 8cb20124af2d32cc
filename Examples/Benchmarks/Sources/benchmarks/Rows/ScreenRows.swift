import Arbor
import ArborEntities
import ArborUI

/// The cost of a list on a screen.
let screenRows = [
  Row(workload: "10,000 rows on screen, one record of which changes, on the main actor", objects: 700, budget: 1) {
    scale in
    let (count, actions) = (scale.count(10_000), scale.count(10_000))
    let screen = MainActor.assumeIsolated { VolumeScreen(rows: count) }
    return {
      MainActor.assumeIsolated {
        nanoseconds(perOperationOf: actions) {
          for action in 0..<actions { screen.store.send(action &* 7919 % count) }
        }
      }
    }
  },
  Row(workload: "readers of 10,000 rows on screen that one record's change notifies", limit: "1", budget: 1) {
    scale in
    let (count, actions) = (scale.count(10_000), scale.count(1000))
    let screen = MainActor.assumeIsolated { VolumeScreen(rows: count) }
    return (
      work: {
        MainActor.assumeIsolated {
          let before = screen.told
          for action in 0..<actions { screen.store.send(action &* 7919 % count) }
          return Double(screen.told - before) / Double(actions)
        }
      },
      limit: { 1 }
    )
  },
]

/// A list on a screen: a reader of its ids, and one for each row.
@MainActor
private final class VolumeScreen {
  let store: ObservableStore<EntityTable<Volume>, Int>

  /// The number of notifications of readers.
  private(set) var told = 0

  private let factory: StoreFactory<EntityTable<Volume>, Int>
  private var subscriptions: [StoreSubscription] = []

  init(rows count: Int) {
    factory = StoreFactory(initialState: try! EntityTable(Volume.all(count))) {
      table, id in
      try! table.update(id) { $0.copies &+= 1 }
    }
    store = factory.observable()
    let rows = store.rows(of: \.self)
    show { rows.ids.count }
    for row in rows.ids.compactMap({ rows[$0] }) { show { row.copies } }
    told = 0
  }

  private func show(_ number: @escaping @MainActor () -> Int) {
    subscriptions.append(
      observe(track: number) { [unowned self] number in
        consume(number)
        told += 1
      })
  }
}
