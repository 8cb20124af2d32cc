/// Deliveries of observed states.
extension Model {
  /// Gives an observation a new state.
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
      guard !observation.isPending else { return }
      guard !skips(observation) else {
        _ = isGivenAgain(shown, to: observation)
        return
      }
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

  /// Sends a delivery of the latest state, after the queue was left.
  private func send(_ observation: Observation) {
    observation.keepers += 1
    let send = { [unowned self] in
      if observation.delivery.isOnMain {
        sendToMain(from: observation.node.tree)
        letGoOfClosure(of: observation)
      } else {
        deliver(on: .observation(observation.order)) { [unowned self] in
          deliverLatest(observation)
          letGoOfClosure(of: observation)
        }
      }
    }
    if isInside(observation.node.tree) { observation.node.tree.afterwards.append(send) } else { send() }
  }

  /// Sends everything that waits for the main queue, unless it was already sent.
  private func sendToMain(from tree: Tree) {
    guard !tree.isMainSent else { return }
    tree.isMainSent = true
    deliver(on: .main) { [unowned self] in
      tree.isMainSent = false
      hurry(tree)
    }
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
      guard !isGivenAgain(shown, to: observation) else { continue }
      give(shown, to: observation)
      hasGiven = true
    }
    observation.isDelivering = false
    guard let interval = observation.delivery.interval else { return }
    guard hasGiven else { return rest(observation) }
    _ = schedule(after: interval) { [unowned self] in
      // Continue if it has not ended with its source meanwhile.
      if observation.keepers > 0 { rest(observation) }
    }
  }

  /// Reads the state between two steps; the delivery arrives at the same moment.
  private func glance(_ observation: Observation) -> Shown? {
    guard observation.node.isOpen else {
      leaveMain(observation)
      return nil
    }
    return lookBetweenSteps(at: observation.node) { arrive(observation) }
  }

  func lookBetweenSteps(at node: Node, _ look: () -> Shown?) -> Shown? {
    var shown: Shown?
    keep(node) {
      attend(node.tree) { shown = look() }
    }
    return shown
  }

  private func arrive(_ observation: Observation) -> Shown? {
    guard observation.isPending else { return nil }
    observation.isPending = false
    if observation.delivery.interval != nil { observation.isResting = true }
    leaveMain(observation)
    return observation.isCancelled ? nil : shown(to: observation)
  }

  /// The value to show to an observation now.
  func shown(to observation: Observation) -> Shown? {
    if let derived = observation.node.derived { return Shown(derived.value) }
    return view(stores[observation.store!]!).map { Shown(count: $0.count, digest: $0.all) }
  }

  /// Immediately makes the deliveries that wait for the main actor.
  func hurry(_ tree: Tree) {
    let waiting = tree.main
    guard !waiting.isEmpty else { return }
    for observation in waiting { observation.keepers += 1 }
    makeRound {
      for observation in waiting { deliverLatest(observation) }
    }
    for observation in waiting { letGoOfClosure(of: observation) }
  }

  /// Removes an observation from those that wait for the main actor.
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
    if observation.delivery.isOnMain {
      makeRound { hear(shown, observation) }
    } else {
      hear(shown, observation)
    }
    // Without a receiver, the closure is released with its subscription.
    guard observation.isCancelled, observation.hasReceiver else { return }
    letGo { [unowned self] in releaseClosure(of: observation) }
  }

  private func hear(_ shown: Shown, _ observation: Observation) {
    // A screen has no closure from the schedule.
    guard observation.token != nil else { return update(observation.screen, to: shown) }
    note(.heard, observation.number, shown.count, shown.digest)
    react(in: observation.node.tree, at: Place(.observation, observation.number))
  }
}
