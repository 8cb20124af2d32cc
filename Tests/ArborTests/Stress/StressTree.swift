import Arbor
import Synchronization

/// The tree of the stress test: a root, three lasting child stores one below the other, and a child store that any
/// thread may replace.
final class StressTree: Sendable {
  private struct Shared: Sendable {
    let object: StoreObject<Int, StressAction>
    let depth: Int
  }

  let factory: StoreFactory<Ledger, StressAction>

  /// The stores of the root and of the lasting child stores, and beside each a scope with its own type of actions.
  let stores: [Store<Composition, StressAction>]
  let scopes: [Store<Composition, ScopedStressAction>]

  /// A store that is nil at every second step or so.
  let optionalStore: Store<Composition, StressAction>

  /// How many actions the temporary child stores' reducers saw.
  let reducedByTemporaries = Atomic(0)

  /// How many actions the shared child stores' reducers saw.
  let reducedByShared = Atomic(0)

  private let objects: [StoreObject<Composition, StressAction>]
  private let shared = Protected(Shared?.none)

  init() {
    let factory = StoreFactory<Ledger, StressAction>(initialState: Ledger()) { $0.reduce($1) }
    var stores = [factory.scopeStore { Composition(ledger: $0) }]
    var objects: [StoreObject<Composition, StressAction>] = []
    for _ in 0..<Ledger.levels {
      let object = stores.last!.childStore(
        initialState: 0,
        stateMapping: { above, count in Composition(ledger: above.ledger, counts: above.counts + [count]) },
        reducer: { count, _ in count += 1 }
      )
      objects.append(object!)
      stores.append(object!.store().scope { $0 })
    }
    self.factory = factory
    self.objects = objects
    self.stores = stores
    scopes = stores.map { store in store.scope(to: { $0 }, action: { $0.action }) }
    optionalStore = stores[1].scope(toOptional: { $0.ledger.total.isMultiple(of: 2) ? $0 : nil })
  }

  func makeTemporary(thread: Int, generation: Int, depth: Int) -> StoreObject<Composition, StressAction> {
    stores[depth].childStore(
      initialState: Temporary(thread: thread, generation: generation),
      stateMapping: { above, temporary in
        Composition(ledger: above.ledger, counts: above.counts, temporary: temporary)
      },
      reducer: { [self] temporary, _ in
        temporary.count += 1
        reducedByTemporaries.add(1, ordering: .relaxed)
      }
    )!
  }

  /// Puts a new child store in the shared one's place, or none.
  func replaceShared(depth: Int?) {
    let new = depth.map { depth in
      let object = stores[depth].childStore(
        initialState: 0,
        stateMapping: { _, count in count },
        reducer: { [self] count, _ in
          count += 1
          reducedByShared.add(1, ordering: .relaxed)
        }
      )
      return Shared(object: object!, depth: depth)
    }
    // Out of the lock it is released.
    _ = shared.withLock { shared in
      defer { shared = new }
      return shared
    }
  }

  /// The shared child store, if there is one, and how many lasting ones are above it.
  var sharedStore: (store: Store<Int, StressAction>, depth: Int)? {
    shared.withLock { $0 }.map { ($0.object.store(), $0.depth) }
  }
}
