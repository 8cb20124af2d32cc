import Arbor
import TestSupport

/// The operations of one thread on one tree, from outside: a seeded random mixture.
struct TreeUser<Action: StressCarrier> {
  let tree: StressTree<Action>
  var lane: Lane
  var random: SplitMix64
  private var shared = 0

  /// The thread's own nested child stores, and the depth of the store above them.
  private var temporaries: [StoreObject<Ledger, Action>] = []
  private var temporaryDepth = 0
  private var generation = 0
  private var temporaryWitnesses: [StateWitness] = []

  /// The current observers and observations.
  var listeners: [Listener<Action>] = []
  var observations: [Observation] = []
  var followers: [Follower] = []

  /// The bodies of that scope's tasks that exclude each other, by their keys.
  private let exclusions: [ExclusionWitness]

  /// A scope with its own keys, in which no other thread cancels tasks.
  private let ownScope: Store<Ledger, Action>

  /// Another scope, in which this thread cancels all tasks.
  private let cancelledScope: Store<Ledger, Action>

  init(_ tree: StressTree<Action>, lane: Int, random: SplitMix64) {
    self.tree = tree
    self.lane = Lane(lane)
    self.random = random
    let scopes = (0..<2).map { _ in Action.scope(of: tree.stores[0], in: tree) }
    tree.ownScopes.withLock { $0 += scopes }
    (ownScope, cancelledScope) = (scopes[0], scopes[1])
    exclusions = (0..<2).map { ExclusionWitness("a thread's tasks with the key \($0)", tree.ground.flaws) }
  }

  mutating func roll(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  mutating func rollDepth() -> Int { roll(Ledger.levels + 1) }

  // MARK: Sending

  mutating func send() {
    let mark = nextMark(mayDrop: true)
    let depth = mark.slip.depth
    let store = roll(3) == 0 ? tree.scopes[depth] : tree.stores[depth]
    store.dispatch(.carrying(mark, in: tree))
  }

  mutating func sendBatch() {
    let depth = rollDepth()
    let count = roll(8)
    var batch: [Action] = []
    for index in 0..<count {
      let isLast = index == count - 1
      let isDropped = !isLast && roll(6) == 0
      let mark = lane.next(
        depth: depth,
        fate: isDropped ? .drop : .pass,
        judge: roll(depth + 1),
        closesStep: isLast
      )
      batch.append(.carrying(mark, in: tree))
    }
    tree.stores[depth].dispatch(batch: batch)
  }

  mutating func sendAndWait() {
    let mark = nextMark(mayDrop: false)
    let depth = mark.slip.depth
    let store = [tree.stores, tree.scopes, tree.optionalScopes][roll(3)][depth]
    if !Action.wait(for: mark, in: store, tree) { lane.takeBack(mark) }
    for listener in listeners { listener.witness.expectSeen(lane.place, of: lane.number) }
    readState()
  }

  mutating func failOrSendToPart() {
    let slip = lane.nextSlip(depth: rollDepth())
    switch roll(4) {
    case 0:
      let stores = roll(2) == 0 ? tree.stores : tree.optionalScopes
      if Action.fail(slip, in: stores[slip.depth], tree) { lane.noteDropped() }
    case 1: Action.sendToPart(slip, in: tree.stores[slip.depth], tree, waits: true)
    default: Action.sendToPart(slip, in: tree.stores[slip.depth], tree, waits: false)
    }
  }

  /// Returns an action for a lasting store, which may change more than the counts.
  private mutating func nextMark(mayDrop: Bool) -> Mark {
    let depth = rollDepth()
    let fates: [Slip.Fate] = [.replace, mayDrop ? .drop : .pass, .pass, .pass, .pass, .pass, .pass, .pass]
    let change: StressChange =
      switch roll(12) {
      case 0: .part
      case 1: .element
      case 2, 3: .work(roll(3), WorkVerb.allCases.randomElement(using: &random)!)
      case 4: .token(tree.meddlingToken("state"))
      default: .none
      }
    let token = roll(8) == 0 ? tree.meddlingToken("action") : nil
    return lane.next(
      depth: depth,
      fate: fates.randomElement(using: &random)!,
      judge: roll(depth + 1),
      change: change,
      token: token
    )
  }

  mutating func emit() {
    let depth = rollDepth()
    tree.stores[depth].emit(lane.nextActivity())
  }

  mutating func readState() {
    let depth = rollDepth()
    guard let state = tree.stores[depth].state else { return tree.ground.flaws.note("a lasting store has no state") }
    if let flaw = state.flawBetweenSteps { tree.ground.flaws.note("a state: \(flaw)") }
    if state.next[lane.number] != lane.place {
      tree.ground.flaws.note(
        "S2 a state has \(state.next[lane.number]) of the \(lane.place) actions that were sent before")
    }
  }

  // MARK: Child stores

  mutating func sendToTemporary() {
    if temporaries.isEmpty || temporaries.count < Temporary.levels && roll(4) == 0 { makeTemporary() }
    guard !temporaries.isEmpty else { return }
    let levels = 1 + roll(temporaries.count)
    let mark = lane.next(depth: temporaryDepth, temporary: (generation, levels))
    temporaries[levels - 1].dispatch(.carrying(mark, in: tree))
  }

  private mutating func makeTemporary() {
    if temporaries.isEmpty {
      generation += 1
      temporaryDepth = rollDepth()
    }
    let above = temporaries.last?.store() ?? tree.stores[temporaryDepth]
    let initial = Temporary(lane: lane.number, generation: generation)
    guard let object = tree.makeTemporary(below: above, initial) else {
      return tree.ground.flaws.note("L1 a store with a retained owner made no child store")
    }
    temporaries.append(object)
    let witness = makeWitness(.everyStep)
    object.subscribe(observer: witness.returning)
    temporaryWitnesses.append(witness)
  }

  /// Releases the thread's own child stores, from the lowest or from the highest: a lower one keeps the higher ones.
  mutating func releaseTemporaries() {
    if roll(2) == 0 { temporaries.reverse() }
    while !temporaries.isEmpty { temporaries.removeLast() }
    for witness in temporaryWitnesses { witness.expectSilence() }
    temporaryWitnesses = []
  }

  mutating func useShared() {
    let place = roll(3)
    switch roll(6) {
    case 0: tree.shared.exchange(nil, at: place)
    case 1:
      let depth = rollDepth()
      tree.shared.exchange(tree.makeShared(depth: depth).map { ($0, depth) }, at: place)
    default:
      guard let (object, depth) = tree.shared.peek(place) else { return }
      shared += 1
      let kind = Mark.Kind.shared(lane: lane.number, sequence: shared)
      object.dispatch(.carrying(Mark(slip: .inNoLane(shared, depth: depth), kind: kind), in: tree))
    }
  }

  // MARK: Tasks

  /// Starts a task that is never canceled: all its actions are reduced.
  mutating func startTask() {
    let record = TaskRecord()
    tree.records.withLock { $0.append(record) }
    let ways: [(key: Int?, mode: TaskMode)] = [
      (0, .waitInCurrent), (1, .keepCurrent), (2, .parallel), (nil, .parallel),
    ]
    let way = ways[roll(ways.count)]
    // Without cancellation, the tasks that wait for the current ones, or keep them, exclude each other.
    let exclusion = way.mode == .parallel ? nil : exclusions[way.key!]
    let operation = tree.makeBody(.sending(roll(4)), level: 0, exclusion: exclusion, record: record)
    ownScope.task(key: way.key, mode: way.mode, operation: operation)
  }

  /// Starts a task and cancels it: from then on, none of its actions is reduced.
  mutating func startAndCancelTask() {
    let (tree, scope, record, key) = (tree, cancelledScope, TaskRecord(), roll(3))
    let way = roll(3)
    let task = scope.task(key: key, operation: tree.makeBody(.sending(12), level: 0, record: record))
    let cancel: @Sendable () -> Int = {
      switch way {
      case 0: task.cancel()
      case 1: scope.cancel(key)
      default: scope.cancelAllTasks()
      }
      return record.reduced.value
    }
    for _ in 0..<roll(4) { sendBatch() }
    if roll(2) == 0 {
      // Elsewhere, one may have begun that is not counted yet.
      tree.expectAtMost(cancel() + 1, of: record)
    } else if let reduced = tree.stores[0].scope(to: { _ in cancel() }).state {
      tree.expectAtMost(reduced, of: record)
    }
  }

  /// Performs operations of callbacks from outside.
  func meddle() {
    tree.meddle(mayRead: true)
  }
}
