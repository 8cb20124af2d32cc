/// The performer of one ``StateEffect``: compares each state with the attempts in progress. On the tree's queue only.
final class StateEffectPerformer<State: Sendable, Action: Sendable>: @unchecked Sendable {
  // Sendable because the performer that owns it uses it on the tree's serial queue only.

  /// An attempt that is in progress.
  private struct Attempt {
    /// The identity of this attempt among all attempts of the performer.
    let identity = Identity()
    let number: Int

    /// Stops the timer of the attempt's delay; nil once the delay is over.
    var stopDelay: (@Sendable () -> Void)?

    /// The group of the attempt's effect; nil until the effect is performed.
    var group: EffectGroup?

    /// Ends the attempt. Its tasks may run on for a while, if they ignore their cancellation.
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

  /// The groups of ended attempts whose tasks have not returned yet; the next attempt of each job waits for its group.
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

  /// Compares the current state with the attempts in progress; begins and ends attempts, and requests due effects.
  func update() {
    if !stillRunning.isEmpty { stillRunning = stillRunning.filter { $0.value.isRunning } }
    guard !attempts.isEmpty else { return reconcile(with: box.borrowable.pointee) }
    // On a restart, `tasksFinished` must not resume between the old task and the new one.
    address.host.tasks.withIdleHeld { reconcile(with: box.borrowable.pointee) }
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
    // `tasksFinished` must not resume between the end of this group and the next attempt.
    let tasks = address.host.tasks
    tasks.postponeIdle()
    let isEnded = group.whenEnded { [weak self, address] _ in
      let isAccepted = address.tree.append(at: address) { [weak self] _ in
        self?.update()
        tasks.resumeIdle()
      }
      if !isAccepted { tasks.resumeIdle() }
    }
    guard isEnded != nil else { return }
    stillRunning[id] = nil
    tasks.resumeIdle()
  }

  private func begin(_ id: TaskKey, _ work: EffectState) {
    var attempt = Attempt(number: work.attemptsBegun)
    if work.delay > .zero {
      // The timer keeps no state alive.
      let tree = address.tree
      let stop = tree.executor.schedule(after: work.delay, on: tree.clock) {
        [weak self, address, identity = attempt.identity] in
        _ = address.tree.append(at: address) { [weak self] _ in self?.delayEnded(id, identity) }
      }
      attempt.stopDelay = tree.trackDelay(stop)
    }
    attempts[id] = attempt
  }

  /// Ends the delay before an attempt, which can now request its effect.
  private func delayEnded(_ id: TaskKey, _ identity: Identity) {
    guard attempts[id]?.identity == identity else { return }
    attempts[id]?.stopDelay?()
    attempts[id]?.stopDelay = nil
    update()
  }

  /// Requests the effect of an attempt and performs it, unless the attempt already has one or still has to wait.
  private func requestEffect(_ id: TaskKey, _ effect: () -> Effect<Action>) {
    guard let attempt = attempts[id], attempt.stopDelay == nil, attempt.group == nil, stillRunning[id] == nil else {
      return
    }
    let effect = effect()
    guard !effect.isNone else { return }
    let group = EffectGroup()
    attempts[id]?.group = group
    // Entered meanwhile, so that the group does not end between two parts of the effect.
    group.enter()
    effect.releaseLater()
    perform(effect, group)
    group.leave()
  }
}
