/// Updating derived values, and notifying their observers.
extension Model {
  /// Gives a store's state to a value.
  func take(_ state: Digest, _ derived: Derived) {
    guard derived.node.isOpen else { return end(derived.follower!) }
    let value = compute(derived, state)
    guard value != derived.value else { return }
    publish(value, of: derived)
    derived.isNew = true
    addStale(derived)
  }

  private func publish(_ value: Int, of derived: Derived) {
    derived.value = value
    derived.version += 1
    // Another thread may release one meanwhile.
    for dependent in derived.dependents where dependent.keepers > 0 {
      dependent.keepers += 1
      expire(dependent)
      let isElsewhere = dependent.node.tree !== derived.node.tree
      if isElsewhere { letGo { [unowned self] in letGoOfCore(of: dependent) } } else { letGoOfCore(of: dependent) }
    }
  }

  /// Marks a value whose input has changed.
  func expire(_ derived: Derived) {
    let tree = derived.node.tree
    guard !isInside(tree) else { return addStale(derived) }
    guard derived.node.isOpen else { return }
    derived.keepers += 1
    tree.expired.append(derived)
    tree.hasExpired = true
    let thread = threads.count - 1
    if !threads[thread].expiredIn.isEmpty {
      threads[thread].expiredIn[threads[thread].expiredIn.count - 1].append(tree)
    }
    if tree.expired.count == 1 { accept(in: tree) { [unowned self] in settleExpiredInside(tree) } }
  }

  func settleExpired(_ tree: Tree) {
    attend(tree) { settleExpiredInside(tree) }
  }

  private func settleExpiredInside(_ tree: Tree) {
    let expired = tree.expired
    tree.expired = []
    letGo { [unowned self] in
      for derived in expired { letGoOfCore(of: derived) }
    }
    for derived in expired { addStale(derived) }
    settle(tree)
    tree.hasExpired = !tree.expired.isEmpty
  }

  private func addStale(_ derived: Derived) {
    let tree = derived.node.tree
    if !tree.stale.contains(where: { $0 === derived }) { tree.stale.append(derived) }
  }

  /// Updates the derived values of a tree.
  func update(_ tree: Tree) {
    while let next = tree.stale.min(by: { $0.order < $1.order }) {
      tree.stale.removeAll { $0 === next }
      if update(next), !tree.untold.contains(where: { $0 === next }) { tree.untold.append(next) }
    }
  }

  private func update(_ derived: Derived) -> Bool {
    if derived.inputs.isEmpty { return derived.isNew }
    guard derived.computedVersion != derived.inputVersion else { return false }
    derived.computedVersion = derived.inputVersion
    let value: Int
    switch derived.origin {
    case .store, .selected: return false
    case .combined(let first, let second): value = combined(first.value, second.value)
    case .mapped(let input, let modulus): value = compute(derived.number, input.value, modulus)
    }
    guard value != derived.value else { return false }
    publish(value, of: derived)
    return true
  }

  /// Updates the derived values of a tree, and notifies their observers.
  func settle(_ tree: Tree) {
    update(tree)
    guard !tree.untold.isEmpty else { return }
    preempt()
    while let next = tree.untold.min(by: { $0.order < $1.order }) {
      tree.untold.removeAll { $0 === next }
      tell(next)
      update(tree)
    }
  }

  private func tell(_ derived: Derived) {
    if !derived.inputs.isEmpty, derived.told == derived.value { return }
    derived.told = derived.value
    derived.isNew = false
    let value = derived.value
    for subscription in derived.node.subscriptions
    where derived.node.isOpen && subscription.isLinked && !subscription.isEnded {
      call(subscription, Shown(value))
    }
  }
}

extension Model.Shown {
  /// The shown content of a derived value.
  init(_ value: Int) {
    self.init(count: Int32(value), digest: 0)
  }
}
