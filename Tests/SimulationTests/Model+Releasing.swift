/// Releases of owners.
extension Model {
  /// Closes the node, and each ancestor whose last owner it contained.
  func release(_ number: Int) {
    guard stores[number] != nil, let node = nodes[number], node.isHeld else { return }
    node.isHeld = false
    var next: Node? = node
    while let node = next, node.isOpen, !isOwned(node) {
      node.isReleasing = true
      close(node)
      post(.storeGone, in: node)
      node.isReleasing = false
      next = node.parent?.node
    }
  }

  func close(_ node: Node) {
    close(node.table)
    preempt()
    let isIdle = node.tree.hasRunAll
    if isIdle || isInside(node.tree) { node.isCounted = false }
    let detach = {
      node.isCounted = false
      node.parent?.node.children.removeAll { $0 === node }
    }
    node.isOpen = false
    guard !isIdle else {
      detach()
      return free(node)
    }
    postpone(detach, of: node)
    accept(in: node.tree, .waits) { [unowned self] in letGo { [unowned self] in free(node) } }
  }

  /// Removes one holder of a node: the one that will free it, or a child.
  func free(_ node: Node) {
    node.keepers -= 1
    guard node.keepers == 0 else { return }
    if !node.isOfDerived { alive.toggle(node.number) }
    let subscriptions = node.subscriptions.filter { !$0.isFollower } + node.subscriptions.filter(\.isFollower)
    node.subscriptions = []
    for subscription in subscriptions { release(subscription) }
    if let parent = node.parent?.node { free(parent) }
  }

  private func isOwned(_ node: Node) -> Bool {
    node.isHeld || node.isReleasing
      || nodes.contains { other in
        guard let other, other.parent?.node === node, other.isOpen || other.isReleasing else { return false }
        return isOwned(other)
      }
  }
}
