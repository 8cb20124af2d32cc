/// Observations of stores and derived values.
extension Model {
  final class Observation {
    let number: Int

    /// Its position in the order in which observations were made: a later one with the same number has another queue.
    let order: Int

    /// The node where it is linked, and the store whose state is shown; nil for a derived value.
    let node: Node
    let store: Int?
    let delivery: Delivery
    let token: HeldToken?

    /// The screen that is updated; nil if a closure is called.
    weak var screen: Screen?
    var mayStillSkip: Bool
    var isCancelled = false

    /// `true` if deliveries pass through an object that can release the closure by itself.
    let hasReceiver: Bool

    /// The observed derived value, kept as long as the object that ends the observation.
    var derived: Derived?
    weak var subscription: Subscription?

    /// The number of holders of the closure (the subscription and pending deliveries), and a flag for its existence.
    var keepers = 1
    var hasClosure = true

    /// `true` if it should last as long as its source.
    var isKept = false

    /// Flags: a delivery of the latest state is pending, the interval after one is running, and there was a change
    /// meanwhile.
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
      _ token: HeldToken?
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
    // The caller holds the closure until the call returns.
    made.keepers += 1
    if isFirstWanted, made.node.isOpen {
      for tree in made.derived?.inputTrees ?? [] { wait(for: tree) {} }
      if !accept(subscription) { release(subscription) }
      if made.node.isOpen { wait(for: made.node.tree, at: made.node) {} }
    } else if !accept(subscription) {
      release(subscription)
    }
    if isFirstWanted, delivery.isOnMain { hurry(made.node.tree) }
    // Another thread may have made one meanwhile.
    if observations[number] == nil { observations[number] = made } else { cancel(made) }
    letGoOfClosure(of: made)
  }

  /// `true` if the running thread is in no callback of any tree.
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

  func observe(_ observation: Observation) -> Subscription {
    let subscription = Subscription(
      .observation(observation),
      store: observation.store,
      node: observation.node
    ) { [unowned self] in letGoOfClosure(of: observation) }
    observation.subscription = subscription
    return subscription
  }

  /// Removes one holder of the closure.
  func letGoOfClosure(of observation: Observation) {
    observation.keepers -= 1
    if observation.keepers == 0 { releaseClosure(of: observation) }
  }

  func releaseClosure(of observation: Observation) {
    guard observation.hasClosure else { return }
    observation.hasClosure = false
    if let token = observation.token { release(token) }
  }

  // MARK: Ends

  func cancel(_ observation: Observation) {
    let derived = observation.derived
    observation.derived = nil
    if !observation.isCancelled {
      observation.isCancelled = true
      holdUntilLeft(observation)
      if let subscription = observation.subscription { end(subscription) }
    }
    if let derived { release(derived) }
  }

  /// Keeps an observation that is ended from outside until the thread has left all trees, like the engine.
  private func holdUntilLeft(_ observation: Observation) {
    if let subscription = observation.subscription, subscription.holders > 0 {
      holdUntilLeft(subscription)
    } else if observation.hasClosure {
      observation.keepers += 1
      letGo { [unowned self] in letGoOfClosure(of: observation) }
    }
  }

  private func holdUntilLeft(_ subscription: Subscription) {
    subscription.holders += 1
    letGo { [unowned self] in release(subscription) }
  }

  func keepObservation(_ number: Int) {
    guard let observation = observations[number], !observation.isKept, !observation.isCancelled else { return }
    observation.isKept = true
    guard let derived = observation.derived else { return }
    observation.derived = nil
    guard let subscription = observation.subscription else { return release(derived) }
    if subscription.holders > 0 { holdUntilLeft(subscription) }
    var isMade = false
    // The change holds it.
    subscription.holders += 1
    rearrange(subscription.node) { [unowned self] in
      isMade = true
      // Kept or not, the change releases it.
      if !subscription.isEnded {
        derived.handles += 1
        subscription.kept = derived
      }
      letGo { [unowned self] in release(derived) }
      release(subscription)
    }
    if !isMade, !subscription.node.isOpen {
      release(derived)
      release(subscription)
    }
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
}
