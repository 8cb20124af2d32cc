/// Observations of stores and derived values, and how they are delivered.
extension Model {
  final class Observation {
    let number: Int

    /// Its place in the order in which observations were made: another one of the same number has another queue.
    let order: Int

    /// Where it is linked, and the store whose state is shown; nil if it is a derived value.
    let node: Node
    let store: Int?
    let delivery: Delivery
    let token: HeldToken
    var mayStillSkip: Bool
    var isCancelled = false

    /// Whether what is delivered goes through an object that can let go of the closure by itself.
    let hasReceiver: Bool

    /// The value that it keeps, if it observes one, for as long as anybody holds what ends it.
    var derived: Derived?
    weak var subscription: Subscription?

    /// How many hold the closure: the subscription, and deliveries on their way. And whether it is there still.
    var keepers = 1
    var hasClosure = true

    /// Whether it was to go on for as long as its source lives.
    var isKept = false

    /// A delivery of the latest state is on its way, the interval behind one runs, and there was a change meanwhile.
    var isPending = false
    var isResting = false
    var hasMissed = false
    var isDelivering = false
    var isCalledAgain = false

    init(
      _ number: Int,
      order: Int,
      at node: Node,
      store: Int?,
      _ delivery: Delivery,
      initial: Bool,
      _ token: HeldToken
    ) {
      self.number = number
      self.order = order
      self.node = node
      self.store = store
      self.delivery = delivery
      self.token = token
      mayStillSkip = !initial
      hasReceiver = !initial || delivery != .storeQueue
    }
  }

  func observe(_ number: Int, _ source: Source, _ delivery: Delivery, initial: Bool, _ token: Token) {
    guard observations[number] == nil else { return }
    let isFirstWanted = initial && (delivery == .storeQueue ? isOutside : delivery.isOnMain && isOnMain)
    let made: Observation
    switch source {
    case .store(let base):
      guard let store = stores[base], !isFirstWanted || !isBusy(store.node.tree) else { return }
      made = make(number, at: store.node, store: base, delivery, initial, token)
    case .derived(let base):
      guard let derived = deriveds[base] else { return }
      guard !isFirstWanted || !(derived.inputTrees + [derived.node.tree]).contains(where: isBusy) else { return }
      made = make(number, at: derived.node, store: nil, delivery, initial, token)
      derived.handles += 1
      made.derived = derived
    }
    let subscription = observe(made)
    // Who calls holds the closure until the call returns.
    made.keepers += 1
    if isFirstWanted, made.node.isOpen {
      for tree in made.derived?.inputTrees ?? [] { wait(for: tree) {} }
      if !accept(subscription) { release(subscription) }
      if made.node.isOpen { wait(for: made.node.tree, at: made.node) {} }
    } else if !accept(subscription) {
      release(subscription)
    }
    if isFirstWanted, delivery.isOnMain { hurry(made.node.tree) }
    // What came meanwhile may have made another one.
    if observations[number] == nil { observations[number] = made } else { cancel(made) }
    letGoOfClosure(of: made)
  }

  /// Whether the running thread is in no callback of any tree.
  private var isOutside: Bool { threads[threads.count - 1].inside.isEmpty }

  private func make(
    _ number: Int,
    at node: Node,
    store: Int?,
    _ delivery: Delivery,
    _ initial: Bool,
    _ token: Token
  ) -> Observation {
    observationCount += 1
    let order = observationCount
    return Observation(number, order: order, at: node, store: store, delivery, initial: initial, hold(token))
  }

  private func observe(_ observation: Observation) -> Subscription {
    let subscription = Subscription(
      .observation(observation),
      store: observation.store,
      node: observation.node
    ) { [unowned self] in letGoOfClosure(of: observation) }
    observation.subscription = subscription
    return subscription
  }

  /// One of those lets go that hold the closure.
  private func letGoOfClosure(of observation: Observation) {
    observation.keepers -= 1
    if observation.keepers == 0 { releaseClosure(of: observation) }
  }

  private func releaseClosure(of observation: Observation) {
    guard observation.hasClosure else { return }
    observation.hasClosure = false
    release(observation.token)
  }

  // MARK: Ends

  func cancel(_ observation: Observation) {
    let derived = observation.derived
    observation.derived = nil
    if !observation.isCancelled {
      observation.isCancelled = true
      if let subscription = observation.subscription { end(subscription) }
    }
    if let derived { release(derived) }
  }

  func keepObservation(_ number: Int) {
    guard let observation = observations[number], !observation.isKept, !observation.isCancelled else { return }
    observation.isKept = true
    guard let derived = observation.derived else { return }
    observation.derived = nil
    guard let subscription = observation.subscription else { return release(derived) }
    var isMade = false
    rearrange(subscription.node) { [unowned self] in
      isMade = true
      // Kept or not, who has carried it here lets go of it.
      if !subscription.isEnded {
        derived.handles += 1
        subscription.kept = derived
      }
      letGo { [unowned self] in release(derived) }
    }
    if !isMade, !subscription.node.isOpen { release(derived) }
  }

  func dropObservation(_ number: Int) {
    guard let observation = observations[number] else { return }
    observations[number] = nil
    guard observation.isKept else { return cancel(observation) }
    if let derived = observation.derived {
      observation.derived = nil
      release(derived)
    }
  }

  // MARK: Deliveries

  /// There is a state for it.
  func change(_ observation: Observation, to shown: Shown) {
    guard !observation.isCancelled else { return }
    switch observation.delivery {
    case .storeQueue:
      if !skips(observation) { give(shown, to: observation) }
    case .each:
      guard !skips(observation) else { return }
      observation.keepers += 1
      let node = observation.node
      deliver(on: .observation(observation.order)) { [unowned self] in
        if node.isOpen { give(shown, to: observation) }
        letGoOfClosure(of: observation)
      }
    case .latest, .latestAtMostEvery, .main, .mainAtMostEvery:
      guard !observation.isPending, !skips(observation) else { return }
      if observation.delivery.isOnMain, !observation.node.tree.main.contains(where: { $0 === observation }) {
        observation.keepers += 1
        observation.node.tree.main.append(observation)
      }
      guard !observation.isResting else {
        observation.hasMissed = true
        return
      }
      observation.isPending = true
      send(observation)
    }
  }

  private func skips(_ observation: Observation) -> Bool {
    defer { observation.mayStillSkip = false }
    return observation.mayStillSkip
  }

  /// Sends a delivery of the latest state on its way, once the queue was left.
  private func send(_ observation: Observation) {
    observation.keepers += 1
    let send = { [unowned self] in
      deliver(on: observation.delivery.isOnMain ? .main : .observation(observation.order)) { [unowned self] in
        deliverLatest(observation)
        letGoOfClosure(of: observation)
      }
    }
    if isInside(observation.node.tree) { observation.node.tree.afterwards.append(send) } else { send() }
  }

  private func deliverLatest(_ observation: Observation) {
    guard observation.isPending else { return }
    observation.isCalledAgain = true
    guard !observation.isDelivering else { return }
    guard !isBusy(observation.node.tree) else { return send(observation) }
    observation.isDelivering = true
    var hasGiven = false
    while observation.isCalledAgain {
      observation.isCalledAgain = false
      guard let shown = glance(observation), !observation.isCancelled else { continue }
      give(shown, to: observation)
      hasGiven = true
    }
    observation.isDelivering = false
    guard let interval = observation.delivery.interval else { return }
    guard hasGiven else { return rest(observation) }
    _ = schedule(after: interval) { [unowned self] in
      // Who has not gone with its source meanwhile.
      if observation.keepers > 0 { rest(observation) }
    }
  }

  /// The state between two steps; in the same moment the delivery arrives.
  private func glance(_ observation: Observation) -> Shown? {
    let node = observation.node
    guard node.isOpen else {
      leaveMain(observation)
      return nil
    }
    var shown: Shown?
    keep(node) {
      attend(node.tree) { shown = arrive(observation) }
    }
    return shown
  }

  private func arrive(_ observation: Observation) -> Shown? {
    guard observation.isPending else { return nil }
    observation.isPending = false
    if observation.delivery.interval != nil { observation.isResting = true }
    leaveMain(observation)
    guard !observation.isCancelled else { return nil }
    if let derived = observation.node.derived { return Shown(derived.value) }
    return view(stores[observation.store!]!).map { Shown(count: $0.count, digest: $0.all) }
  }

  /// Delivers at once what waits for the main actor.
  func hurry(_ tree: Tree) {
    let waiting = tree.main
    for observation in waiting { observation.keepers += 1 }
    for observation in waiting { deliverLatest(observation) }
    for observation in waiting { letGoOfClosure(of: observation) }
  }

  /// Waits for the main actor no more.
  private func leaveMain(_ observation: Observation) {
    guard let index = observation.node.tree.main.firstIndex(where: { $0 === observation }) else { return }
    observation.node.tree.main.remove(at: index)
    letGoOfClosure(of: observation)
  }

  private func rest(_ observation: Observation) {
    observation.isResting = false
    guard observation.hasMissed else { return }
    observation.hasMissed = false
    observation.isPending = true
    send(observation)
  }

  private func give(_ shown: Shown, to observation: Observation) {
    guard !observation.isCancelled, observation.hasClosure else { return }
    note(.heard, observation.number, shown.count, shown.digest)
    react(in: observation.node.tree, at: Place(.observation, observation.number))
    // Without a receiver, the closure goes with its subscription.
    guard observation.isCancelled, observation.hasReceiver else { return }
    letGo { [unowned self] in releaseClosure(of: observation) }
  }
}
