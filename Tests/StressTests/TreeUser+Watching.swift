import Arbor

/// A thread's observations of a tree, and their checks at rest.
extension TreeUser {
  /// Makes a witness that knows the actions that this thread has sent.
  func makeWitness(_ rule: StateWitness.Rule, overlap: OverlapWitness? = nil, calls: Int = .max) -> StateWitness {
    let tree = tree
    let isOnStoreQueue = overlap == nil
    return StateWitness(
      rule,
      overlap ?? tree.witness,
      on: tree.ground,
      floor: (lane.number, lane.place),
      calls: calls
    ) { [unowned tree] state in
      if isOnStoreQueue {
        // In an observer the values agree with the state.
        let value = tree.steps.value
        if value != state.steps {
          tree.ground.flaws.note("W1 a value is \(value) in an observer of step \(state.steps)")
        }
      }
      if isOnStoreQueue {
        tree.meddleInObserver()
      } else if tree.ground.mayMeddle(oneIn: 50) {
        tree.meddle(mayRead: true)
      }
    }
  }

  // MARK: Observers

  mutating func subscribe() {
    guard listeners.count < 4 else { return }
    let isOptional = roll(4) == 0
    let depth = rollDepth()
    let store = isOptional ? tree.optionalScopes[depth] : tree.stores[depth]
    let limit = roll(3) == 0 ? 1 + roll(20) : Int.max
    let witness = makeWitness(isOptional ? .laterSteps : .everyStep, calls: limit)
    let observer = roll(2) == 0 ? witness.returning : witness.completing
    tree.ground.keep(witness)
    store.subscribe(observer: observer)
    listeners.append(Listener(witness: witness, observer: observer, store: store))
  }

  mutating func endObserver() {
    guard !listeners.isEmpty else { return }
    let index = roll(listeners.count)
    if listeners[index].witness.end() { listeners.remove(at: index) }
  }

  mutating func subscribeAgain() {
    guard let listener = listeners.randomElement(using: &random), listener.witness.canRepeat else { return }
    listener.witness.awaitRepeat()
    listener.store.subscribe(observer: listener.observer)
    // After the subscription, so that the observer cannot be ended before it.
    readState()
  }

  // MARK: Observations

  mutating func observe() {
    guard observations.count < 5 else { return dropObservation() }
    let way = StressDelivery(tree.ground.dice, on: tree.ground.queues)
    let overlap = way.isOnStoreQueue ? nil : OverlapWitness("an observation of \(tree.name)", tree.ground.flaws)
    let witness = makeWitness(way.rule, overlap: overlap)
    let token = roll(3) == 0 ? tree.waitingToken("observation") : tree.meddlingToken("observation")
    let isInitial = roll(3) > 0
    let body: @Sendable (Ledger) -> Void = { state in withExtendedLifetime(token) { witness.body(state) } }
    let store = tree.stores[rollDepth()]
    let subscription: StoreSubscription
    if roll(3) == 0, let delivery = way.delivery {
      // The latest state is compared where it is delivered.
      let comparison = way.isLatest ? overlap ?? tree.witness : tree.witness
      let duplicates = Equating<Ledger>.by { old, new in
        comparison.within("comparison") { old.steps == new.steps }
      }
      subscription = store.observe(initial: isInitial, removeDuplicates: duplicates, on: delivery, body)
    } else if roll(3) == 0, let delivery = way.delivery {
      subscription = store.observe(initial: isInitial, on: delivery) { (changes: Changes<Ledger>) in
        if let previous = changes.previous, previous.steps >= changes.current.steps {
          witness.note("N1 changes from step \(previous.steps) to \(changes.current.steps)")
        }
        body(changes.current)
      }
    } else {
      subscription = way.observe(store, initial: isInitial, body)
    }
    observations.append(
      Observation(witness: witness, subscription: subscription, isTimed: way.isTimed, isInitial: isInitial)
    )
  }

  mutating func dropObservation() {
    guard !observations.isEmpty else { return }
    let observation = observations.remove(at: roll(observations.count))
    switch roll(3) {
    case 0:
      observation.subscription.cancel()
      observation.witness.expectSilence()
    case 1: observation.subscription.storeWhileSourceActive()
    default: break
    }
  }

  // MARK: Values

  /// Reads values repeatedly while the tree writes them, without any synchronization in between.
  func readValues() {
    var last = 0
    for _ in 0..<1_000 {
      let steps = tree.steps.value
      if steps < last { tree.ground.flaws.note("W1 a value was \(steps) after \(last)") }
      last = steps
      let twins = tree.twins.value
      if twins.first != twins.second { tree.ground.flaws.note("W1 a value was torn: \(twins)") }
    }
  }

  /// Makes a value that follows this tree, and observes it.
  mutating func follow(_ ledger: @escaping @Sendable (Outcome) -> Ledger) {
    guard followers.count < 5 else {
      followers.remove(at: roll(followers.count))
      return
    }
    let (tree, lane) = (tree, lane)
    let store = tree.stores[rollDepth()]
    switch roll(5) {
    case 0:
      let value = store.derived(tree.looking { $0.next[lane.number] })!
      let now = value.value
      if now != lane.place {
        tree.ground.flaws.note("W1 a value began with \(now) of \(lane.place) actions sent before")
      }
      follow(value, increases: true) { ledger($0).next[lane.number] }
    case 1:
      // Two parts of one state, from lasting values and new ones: never a mixture.
      let closed = roll(2) == 0 ? tree.closed : store.derived(tree.looking { $0.right })!
      let second = roll(2) == 0 ? closed : closed.derived { $0 }
      let twins = Derived<(Int, Int)>.combined(tree.changes, second).derived { [ground = tree.ground] pair in
        if pair.0 != pair.1 { ground.flaws.note("W1 a value was computed from a mixture, \(pair)") }
        return Twins(first: pair.0, second: pair.1)
      }
      follow(twins, isInOrder: Twins.mayFollow) {
        Twins(first: ledger($0).changes, second: ledger($0).right)
      }
    case 2:
      let token = tree.meddlingToken("derived")
      let value = store.derived(tree.looking { $0.steps })!
        .derived { steps in withExtendedLifetime(token) { steps / 2 } }
        .derived { $0 / 2 }
      follow(value, increases: true) { ledger($0).steps / 2 / 2 }
    case 3:
      follow(store.derived(Ledger.twins)!, isInOrder: Twins.mayFollow) {
        Twins(first: ledger($0).changes, second: ledger($0).right)
      }
    default:
      tree.select(at: store)
      follow(store.derived(\.right)!, increases: true) { ledger($0).right }
    }
  }

  private mutating func follow(
    _ value: Derived<Int>,
    increases: Bool,
    expected: @escaping @Sendable (Outcome) -> Int
  ) {
    follow(value, isInOrder: { $0 < $1 }, expected: expected)
  }

  /// Observes a value in some way.
  mutating func follow<Value: Equatable & Sendable>(
    _ value: Derived<Value>,
    isInOrder: @escaping @Sendable (Value, Value) -> Bool,
    expected: @escaping @Sendable (Outcome) -> Value
  ) {
    let ground = tree.ground
    let way = StressDelivery(ground.dice, on: ground.queues)
    let overlap = way.isOnStoreQueue ? tree.witness : OverlapWitness("a value's observation", ground.flaws)
    let witness = ValueWitness<Value>(overlap, on: ground) { [unowned tree] in
      if tree.ground.mayMeddle(oneIn: 40) { tree.meddle(mayRead: true) }
    } isInOrder: { old, new in
      isInOrder(old, new)
    }
    let isInitial = roll(3) > 0
    let subscription = way.observe(value, initial: isInitial, witness.body)
    followers.append(
      Follower(subscription: subscription) { outcome in
        let (now, last) = (value.value, expected(outcome))
        ground.flaws.expect(now == last, "W1 a value is \(now) at rest, and the states say \(last)")
        witness.check(last: last, isSure: isInitial, mayWait: way.isTimed)
      }
    )
  }

  // MARK: The end

  /// Checks all observations so far at rest.
  func checkWatched(_ ledger: Ledger, _ outcome: Outcome) {
    for listener in listeners where listener.witness.canRepeat {
      listener.witness.check(lastStep: ledger.steps, isSure: true, mayWait: false)
      listener.witness.checkRepeats()
    }
    for observation in observations {
      observation.witness.check(
        lastStep: ledger.steps,
        isSure: observation.isInitial,
        mayWait: observation.isTimed
      )
    }
    for follower in followers { follower.check(outcome) }
  }
}
