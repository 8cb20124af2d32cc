internal import Arbor
internal import Dispatch

/// Running the waiting work, step by step.
extension ManualSchedule {
  /// Runs the next step.
  ///
  /// - Returns: `true` if there was a step that is not held.
  func step() -> Bool {
    unpark()
    while let turn = next() {
      if perform(turn) { return true }
    }
    return false
  }

  /// Runs steps until none is left that is not held.
  func run() {
    while step() {}
  }

  /// Runs steps until the mailbox's next entry is held, or none is left.
  ///
  /// - Returns: `true` if this happened before `limit` steps were run.
  @discardableResult
  func settle(_ tree: Tree, atMost limit: Int) -> Bool {
    for _ in 0..<limit {
      guard !isHeld(tree), step() else { return true }
    }
    return false
  }

  /// Runs the next entry of a mailbox even though it is held.
  func stepHeld(_ tree: Tree) {
    let line = Turn.Line.tree(ObjectIdentifier(tree))
    let turn = plan.withLock { plan in
      if let index = plan.parked.firstIndex(where: { $0.line == line }) {
        return plan.parked.remove(at: index) as Turn?
      }
      return plan.turns.all.first { $0.line == line }.flatMap { plan.turns.remove($0.number) }
    }
    if let turn { _ = perform(turn) }
  }

  /// - Returns: `true` if any work was done.
  private func perform(_ turn: Turn) -> Bool {
    switch turn.work {
    case .delivery(_, let work), .timer(let work), .part(let work):
      work()
      return true
    case .tree(let tree):
      plan.withLock { $0.running.append(tree) }
      let isWaiting = tree.waiting > 0
      tree.runOneEntry()
      plan.withLock { plan in
        guard let index = plan.running.lastIndex(where: { $0 === tree }) else { return }
        plan.running.remove(at: index)
      }
      return isWaiting
    }
  }

  /// Removes and returns the next turn, and sets held ones aside.
  private func next() -> Turn? {
    while let turn = take() {
      guard case .tree(let tree) = turn.work, isHeld(tree) else { return turn }
      plan.withLock { $0.parked.append(turn) }
    }
    return nil
  }

  private func take() -> Turn? {
    plan.withLock { plan in
      guard !plan.order.isFirstComeFirstServed else { return plan.turns.popFirst() }
      var lines: Set<Turn.Line> = []
      let free = plan.turns.all.filter { turn in turn.line.map { lines.insert($0).inserted } ?? true }
      guard !free.isEmpty else { return nil }
      return plan.turns.remove(free[plan.order.choose(among: free.count)].number)
    }
  }

  // MARK: Holding actions

  /// Holds the actions in a mailbox from now on: only a caller that requests them runs them.
  func hold(_ tree: Tree) {
    plan.withLock { $0.held[ObjectIdentifier(tree)] = tree }
  }

  /// Ends the holding: actions in a mailbox are steps like any others again.
  func letGo(of tree: Tree) {
    // Released outside the lock.
    _ = plan.withLock { $0.held.removeValue(forKey: ObjectIdentifier(tree)) }
  }

  func isHolding(_ tree: any Drainable) -> Bool {
    plan.withLock { $0.held[ObjectIdentifier(tree)] != nil }
  }

  /// `true` if a mailbox's next entry is a held step of actions.
  func isHeld(_ tree: any Drainable) -> Bool {
    plan.withLock { $0.held[ObjectIdentifier(tree)] }?.nextEntry?.isStep == true
  }

  /// Takes back mailboxes whose held entry may have been revoked or released.
  private func unpark() {
    let parked = plan.withLock { plan in
      defer { plan.parked = [] }
      return plan.parked
    }
    for turn in parked {
      guard case .tree(let tree) = turn.work else { continue }
      let isHeld = isHeld(tree)
      plan.withLock { plan in
        if isHeld { plan.parked.append(turn) } else { plan.turns.append(turn) }
      }
    }
  }

  // MARK: Waiting steps

  /// The number of waiting steps.
  var pending: Int {
    let (trees, others) = waiting
    return trees.reduce(others.count) { count, tree in count + tree.waiting }
  }

  /// The mailboxes with waiting work, each once, and the turns that do not belong to mailboxes.
  var waiting: (trees: [any Drainable], others: [Turn]) {
    let (running, turns) = plan.withLock { plan in (plan.running, plan.parked + Array(plan.turns.all)) }
    var seen: Set<ObjectIdentifier> = []
    var others: [Turn] = []
    var trees = running.filter { seen.insert(ObjectIdentifier($0)).inserted }
    for turn in turns {
      guard case .tree(let tree) = turn.work else {
        others.append(turn)
        continue
      }
      if seen.insert(ObjectIdentifier(tree)).inserted { trees.append(tree) }
    }
    return (trees, others)
  }
}
