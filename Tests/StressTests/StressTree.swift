import Arbor
import Synchronization

/// One of the trees of a round: a root, three nested lasting child stores, and temporary child stores.
final class StressTree<Action: StressCarrier>: @unchecked Sendable {
  // Sendable because its variables are set before other threads know the tree, or belong to the queue.

  let name: String
  let ground: Ground
  let witness: OverlapWitness

  /// `true` if middleware counts the commits.
  let isFollowed: Bool
  let monitor: StressMonitor?

  /// The stores of the root and of the lasting child stores, each with a scope with its own type of actions and an
  /// optional one.
  private(set) var stores: [Store<Ledger, Action>] = []
  private(set) var scopes: [Store<Ledger, Action>] = []
  private(set) var optionalScopes: [Store<Ledger, Action>] = []

  /// The numbers of actions sent without a lane, and of actions passed on.
  let echoesSent = Counter()
  let reducedByTemporaries = Counter()
  let reducedByShared = Counter()

  /// The number of times that the effects of each level were requested.
  let asked = (0...Ledger.levels).map { _ in Counter() }

  /// The task bodies of this tree that exclude each other, and the actions of tasks that are never canceled.
  let queued: [ExclusionWitness]
  let works: [ExclusionWitness]
  let records = Protected<[TaskRecord]>([])

  /// The canceled tasks, and the maximum number of their actions that may be reduced.
  let cancelled = Protected<[(record: TaskRecord, limit: Int)]>([])

  /// The scopes with their own keys that threads have made.
  let ownScopes = Protected<[Store<Ledger, Action>]>([])

  let activities: ActivityWitness

  /// Performs an operation on the other tree. The argument is `true` if it may wait for that.
  var meddleElsewhere: @Sendable (_ mayRead: Bool) -> Void = { _ in }

  let subscriptions = Shelf<StoreSubscription>(places: 8)
  let values = Shelf<Derived<Int>>(places: 8)
  let completions = Shelf<@Sendable () -> Void>(places: 4)

  /// The ends of observations on the store's queue, to be called there.
  let ends = Shelf<@Sendable () -> Void>(places: 4)
  let dispatches = Shelf<@Sendable () -> Void>(places: 3)
  let shared = Shelf<(object: StoreObject<Ledger, Action>, depth: Int)>(places: 3)
  let children = Shelf<StoreObject<Ledger, Action>>(places: 3)
  let tasks = Shelf<@Sendable () -> Void>(places: 4)

  /// Values that last as long as the round: all changes, twice, and the steps.
  private(set) var changes = Derived<Int>.constant(0)
  private(set) var closed = Derived<Int>.constant(0)
  private(set) var steps = Derived<Int>.constant(0)
  private(set) var twins = Derived<Twins>.constant(Twins(first: 0, second: 0))

  private let owners = Protected<Owners?>(nil)
  private let isOpen = Atomic(false)

  /// The number of judged actions of each lane. On the queue.
  private var judged = [Int](repeating: 0, count: Ledger.lanes)

  private struct Owners: Sendable {
    let factory: StoreFactory<Ledger, Action>
    let objects: [StoreObject<Ledger, Action>]
    let hearing: StoreSubscription
  }

  init(_ name: String, on ground: Ground, isFollowed: Bool, isMonitored: Bool) {
    self.name = name
    self.ground = ground
    self.isFollowed = isFollowed
    witness = OverlapWitness(name, ground.flaws)
    monitor = isMonitored ? StressMonitor(witness, ground) : nil
    activities = ActivityWitness(ground.flaws)
    queued = (0...Ledger.levels).map { ExclusionWitness("\(name)'s waiting tasks of level \($0)", ground.flaws) }
    works = (0...Ledger.elements + Ledger.levels).map { ExclusionWitness("\(name)'s work \($0)", ground.flaws) }
    ground.trees.add("tree")
    grow()
  }

  deinit {
    ground.trees.remove("tree")
  }

  var monitors: [any StoreMonitor] { monitor.map { [$0] } ?? [] }

  private func grow() {
    let factory = Action.makeFactory(of: self, makeRootWork())
    var stores = [factory.scopeStore(to: looking { $0 })]
    var objects: [StoreObject<Ledger, Action>] = []
    for level in 1...Ledger.levels {
      let object = makeLasting(below: stores.last!, level: level)
      objects.append(object)
      stores.append(object.store())
    }
    self.stores = stores
    scopes = stores.map { Action.scope(of: $0, in: self) }
    optionalScopes = stores.map { Action.optionalScope(of: $0, in: self) }
    changes = factory.derived(looking { $0.changes })
    closed = factory.derived(looking { $0.right })
    steps = factory.derived(\.steps)
    twins = factory.derived(Ledger.twins)
    let hearing = factory.observe(activities: StressActivity.self) { [witness, activities] activity in
      witness.within("hearer") { activities.hear(activity) }
    }
    owners.withLock { $0 = Owners(factory: factory, objects: objects, hearing: hearing) }
    isOpen.store(true, ordering: .releasing)
  }

  /// Releases the tree and everything made in it.
  func fell() {
    subscriptions.empty()
    values.empty()
    completions.empty()
    ends.empty()
    dispatches.empty()
    children.empty()
    shared.empty()
    tasks.empty()
    changes = .constant(0)
    closed = .constant(0)
    steps = .constant(0)
    twins = .constant(Twins(first: 0, second: 0))
    let owners = owners.withLock { $0.take() }
    withExtendedLifetime(owners) {}
    meddleElsewhere = { _ in }
  }

  /// `true` if callbacks may use the tree, which must be complete.
  var isGrown: Bool { isOpen.load(ordering: .acquiring) }

  /// Expects at rest that at most a number of actions of a canceled task were reduced.
  func expectAtMost(_ limit: Int, of record: TaskRecord) {
    cancelled.withLock { $0.append((record, limit)) }
  }

  /// The root's state after everything that was accepted.
  var ledger: Ledger? { stores.first?.state }

  /// Returns a projection that checks that it runs only on the tree's queue.
  func looking<Part>(_ project: @escaping @Sendable (Ledger) -> Part) -> @Sendable (Ledger) -> Part {
    { [witness] ledger in witness.within("projection") { project(ledger) } }
  }

  /// Returns an action from a callback, which is certainly reduced.
  func echo(depth: Int, closesStep: Bool = true, change: StressChange = .none) -> Action {
    echoesSent.count()
    return .carrying(Mark(slip: .inNoLane(depth: depth, closesStep: closesStep), kind: .echo, change: change), in: self)
  }

  /// Returns an action that may be refused or revoked.
  func stray(depth: Int) -> Action {
    .carrying(Mark(slip: .inNoLane(depth: depth), kind: .stray), in: self)
  }

  /// Checks that each action of a lane is judged once, in order. On the queue.
  func noteJudged(_ slip: Slip) {
    if slip.sequence != judged[slip.lane] {
      ground.flaws.note(
        "O2 \(name): action \(slip.sequence) of lane \(slip.lane) was judged where \(judged[slip.lane]) was to be"
      )
    }
    judged[slip.lane] = slip.sequence + 1
  }

  /// The number of judged actions of each lane. At rest.
  var judgedCounts: [Int] { judged }
}
