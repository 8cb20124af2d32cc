/// Performs a ``StateEffect``: compares each state with what it performs. On the tree's queue only.
final class StateEffectPerformer<State: Sendable, Action: Sendable>: @unchecked Sendable {
  // Sendable as the performer that has it to itself: all that varies is touched on the tree's serial queue only.

  /// An attempt that is in progress.
  private struct Attempt {
    /// The attempt's identity among all that were ever found here.
    let identity = Identity()
    let number: Int

    /// Stops the timer of its delay; nil once that is over.
    var stopDelay: (@Sendable () -> Void)?

    /// The group of what it performs; nil until there is anything.
    var group: EffectGroup?

    /// Ends the attempt. What it performs may go on for a while, if it ignores that it was cancelled.
    func end() {
      stopDelay?()
      group?.cancel()
    }
  }

  private let declaration: StateEffect<State, Action>
  private let box: StateBox<State>
  private let address: NodeAddress
  private let perform: (Effect<Action>, EffectGroup) -> Void

  private var attempts: [TaskKey: Attempt] = [:]

  /// The work of attempts that were ended and that has not ended yet: the next attempt waits for it.
  private var stillRunning: [TaskKey: EffectGroup] = [:]

  init(
    _ declaration: StateEffect<State, Action>,
    of box: StateBox<State>,
    at address: NodeAddress,
    perform: @escaping (Effect<Action>, EffectGroup) -> Void
  ) {
    self.declaration = declaration
    self.box = box
    self.address = address
    self.perform = perform
  }

  /// The state may be a new one.
  func update() {
    if !stillRunning.isEmpty { stillRunning = stillRunning.filter { $0.value.isRunning } }
    guard !attempts.isEmpty else { return reconcile(with: box.held.pointee) }
    // A restart is no moment without tasks.
    address.host.tasks.withIdleHeld { reconcile(with: box.held.pointee) }
  }

  private func reconcile(with state: borrowing Borrowable<State>) {
    var left = attempts
    var seen: Set<TaskKey> = []
    declaration.forEach(state.value) { id, work, effect in
      guard seen.insert(id).inserted else { return }
      if left[id]?.number == work.attemptsBegun {
        left[id] = nil
      } else {
        if let attempt = left.removeValue(forKey: id) { end(attempt, id) }
        begin(id, work)
      }
      requestEffect(id, effect)
    }
    for (id, attempt) in left {
      attempts[id] = nil
      end(attempt, id)
    }
  }

  private func end(_ attempt: Attempt, _ id: TaskKey) {
    attempt.end()
    guard let group = attempt.group, group.isRunning else { return }
    stillRunning[id] = group
    // Between its end and the next attempt there is no moment without tasks.
    let tasks = address.host.tasks
    tasks.hold()
    let isEnded = group.whenEnded { [weak self, address] _ in
      let isAccepted = address.tree.append(at: address) { [weak self] _ in
        self?.update()
        tasks.release()
      }
      if !isAccepted { tasks.release() }
    }
    guard isEnded != nil else { return }
    stillRunning[id] = nil
    tasks.release()
  }

  private func begin(_ id: TaskKey, _ work: EffectState) {
    var attempt = Attempt(number: work.attemptsBegun)
    if work.delay > .zero {
      // The delay keeps no state alive.
      let tree = address.tree
      let stop = tree.executor.schedule(after: work.delay, on: tree.clock) {
        [weak self, address, identity = attempt.identity] in
        _ = address.tree.append(at: address) { [weak self] _ in self?.delayEnded(id, identity) }
      }
      attempt.stopDelay = tree.trackDelay(stop)
    }
    attempts[id] = attempt
  }

  /// The delay before an attempt is over.
  private func delayEnded(_ id: TaskKey, _ identity: Identity) {
    guard attempts[id]?.identity == identity else { return }
    attempts[id]?.stopDelay?()
    attempts[id]?.stopDelay = nil
    update()
  }

  /// Asks for the effect of an attempt, if it is time to and there was none before.
  private func requestEffect(_ id: TaskKey, _ effect: () -> Effect<Action>) {
    guard let attempt = attempts[id], attempt.stopDelay == nil, attempt.group == nil, stillRunning[id] == nil else {
      return
    }
    let effect = effect()
    guard !effect.isNone else { return }
    let group = EffectGroup()
    attempts[id]?.group = group
    // Held meanwhile, so that it does not end between two parts of the effect.
    group.enter()
    effect.releaseLater()
    perform(effect, group)
    group.leave()
  }
}
