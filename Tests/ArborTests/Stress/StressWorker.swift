import Arbor

/// One thread of the stress test: a seeded random mixture of everything that may be done with a tree from outside.
struct StressWorker {
  private typealias Listener = (
    witness: Witness, observer: Observer<Composition>, store: Store<Composition, StressAction>
  )

  private let tree: StressTree
  private let thread: Int
  private var random: SplitMix64

  /// How many actions were sent that must be reduced, and in how many steps.
  private(set) var sent = 0
  private(set) var steps = 0
  private(set) var sentToTemporaries = 0

  /// What was seen to be wrong from outside.
  private(set) var flaws: [String] = []

  /// Every witness that was ever subscribed.
  private(set) var witnesses: [Witness] = []

  private var shared = 0
  private var generation = 0
  private var temporary: StoreObject<Composition, StressAction>?
  private var temporaryDepth = 0
  private var temporaryWitness: Witness?
  private var active: [Listener] = []

  init(tree: StressTree, thread: Int, seed: UInt64) {
    self.tree = tree
    self.thread = thread
    random = SplitMix64(seed: seed &+ UInt64(thread))
  }

  /// Sends so many actions, and does all the rest meanwhile.
  mutating func work(actions: Int) {
    while sent < actions {
      switch Int.random(in: 0..<1_000, using: &random) {
      case 0..<550: send()
      case 550..<650: sendScoped()
      case 650..<700: sendBatch(atMost: actions - sent)
      case 700..<850: sendToTemporary()
      case 850..<880: releaseTemporary()
      case 880..<950: sendToShared()
      case 950..<960: tree.replaceShared(depth: Bool.random(using: &random) ? depth() : nil)
      case 960..<975: subscribe()
      case 975..<990: endObserver()
      case 990..<993: subscribeAgain()
      case 993..<996: sendAndWait()
      default: readState()
      }
    }
    releaseTemporary()
  }

  // MARK: Sending

  private mutating func send() {
    let depth = depth()
    tree.stores[depth].dispatch(nextAction(depth: depth))
  }

  private mutating func sendScoped() {
    let depth = depth()
    tree.scopes[depth].dispatch(ScopedStressAction(action: nextAction(depth: depth)))
  }

  private mutating func sendBatch(atMost limit: Int) {
    let depth = depth()
    let count = min(Int.random(in: 0...20, using: &random), limit)
    tree.stores[depth].dispatch(
      batch: (0..<count).map { index in nextAction(depth: depth, closesStep: index == count - 1) }
    )
  }

  private mutating func sendAndWait() {
    let depth = depth()
    tree.stores[depth].dispatchAndWait(nextAction(depth: depth))
    readState()
  }

  private mutating func sendToTemporary() {
    let object = temporary ?? makeTemporary()
    let action = nextAction(depth: temporaryDepth, kind: .temporary(generation: generation))
    sentToTemporaries += 1
    object.dispatch(action)
  }

  private mutating func makeTemporary() -> StoreObject<Composition, StressAction> {
    generation += 1
    temporaryDepth = depth()
    let object = tree.makeTemporary(thread: thread, generation: generation, depth: temporaryDepth)
    let witness = newWitness()
    object.subscribe(observer: witness.returning)
    temporary = object
    temporaryWitness = witness
    return object
  }

  private mutating func releaseTemporary() {
    temporary = nil
    temporaryWitness?.expectSilence()
    temporaryWitness = nil
  }

  private mutating func sendToShared() {
    guard let (store, depth) = tree.sharedStore else { return }
    shared += 1
    store.dispatch(StressAction(thread: thread, sequence: shared, depth: depth, kind: .shared))
  }

  private mutating func nextAction(
    depth: Int,
    kind: StressAction.Kind = .lasting,
    closesStep: Bool = true
  ) -> StressAction {
    defer {
      sent += 1
      if closesStep { steps += 1 }
    }
    return StressAction(thread: thread, sequence: sent, depth: depth, kind: kind, closesStep: closesStep)
  }

  private mutating func depth() -> Int {
    Int.random(in: 0...Ledger.levels, using: &random)
  }

  // MARK: Listening

  private mutating func subscribe() {
    guard active.count < 3 else { return }
    let isSelective = Int.random(in: 0..<4, using: &random) == 0
    let store = isSelective ? tree.optionalStore : tree.stores[depth()]
    if Bool.random(using: &random) {
      let witness = newWitness(seesEveryStep: !isSelective, calls: Int.random(in: 1...100, using: &random))
      store.subscribe(observer: witness.returning)
    } else {
      let witness = newWitness(seesEveryStep: !isSelective)
      let observer = witness.completing
      active.append((witness, observer, store))
      store.subscribe(observer: observer)
    }
  }

  private mutating func endObserver() {
    guard let index = active.indices.randomElement(using: &random), active[index].witness.end() else { return }
    active.remove(at: index)
  }

  private mutating func subscribeAgain() {
    guard let (witness, observer, store) = active.randomElement(using: &random), witness.canRepeat else { return }
    witness.awaitRepeat()
    store.subscribe(observer: observer)
    // Behind the subscription, so that the observer cannot be ended before it.
    readState()
  }

  private mutating func newWitness(seesEveryStep: Bool = true, calls: Int = .max) -> Witness {
    let witness = Witness(seesEveryStep: seesEveryStep, calls: calls)
    witnesses.append(witness)
    return witness
  }

  /// Reads a state, which must have everything that this thread sent before.
  private mutating func readState() {
    let state = tree.stores[depth()].state
    if state?.ledger.next[thread] != sent { flaws.append("a state had not all that was sent before") }
    if let flaw = state?.flaw { flaws.append(flaw) }
  }
}
