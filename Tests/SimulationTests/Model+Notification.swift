/// The order of calls with a state: derived values first, then observers, then observers of derived values.
extension Model {
  func notify(_ tree: Tree) {
    defer { tree.composed = [:] }
    guard let root = nodes[tree.number], root.isOpen, root.hasObservers || root.hasFollowers else { return }
    if root.hasFollowers, tree.followedRevision != tree.revision { tree.composed = follow(root) }
    notify(root, root.digest, tree.composed)
    settle(tree)
  }

  /// Updates the derived values of a tree if necessary.
  func catchUp(_ tree: Tree) {
    guard let root = nodes[tree.number], root.isOpen, root.hasFollowers, !tree.isInBatch else { return }
    guard tree.followedRevision != tree.revision else { return }
    let composed = follow(root)
    // Otherwise there are no observers to call with it.
    if tree.isSettingOff { tree.composed = composed }
  }

  private func follow(_ root: Node) -> [Int: Digest] {
    var composed = root.tree.composed
    follow(root, root.digest, &composed)
    root.tree.followedRevision = root.tree.revision
    update(root.tree)
    return composed
  }

  /// Passes a state to the values derived from it, here and below.
  private func follow(_ node: Node, _ state: Digest, _ composed: inout [Int: Digest]) {
    for subscription in node.subscriptions where subscription.isFollower && !subscription.isEnded {
      call(subscription, state)
    }
    for child in node.children {
      guard let above = project(state, child.parent!), child.hasFollowers else { continue }
      let state = composed[child.number] ?? map(child, above)
      composed[child.number] = state
      follow(child, state, &composed)
    }
  }

  private func notify(_ node: Node, _ state: Digest, _ composed: [Int: Digest]) {
    for subscription in node.subscriptions
    where node.isOpen && subscription.isLinked && !subscription.isEnded && !subscription.isFollower {
      call(subscription, state)
    }
    for child in node.children {
      guard let above = project(state, child.parent!), child.hasObservers else { continue }
      notify(child, composed[child.number] ?? map(child, above), composed)
    }
  }

  private func call(_ subscription: Subscription, _ state: Digest?) {
    if case .watch(let presence, let watch) = subscription.subscriber {
      let part = state.flatMap { project($0, presence.watches[watch].projections) }
      if notice(isThere: part != nil, of: presence, by: watch) { endInItsCall(subscription) }
      return
    }
    let state = state.flatMap { project($0, stores[subscription.store!]!) }
    guard let state else {
      // If there is no first state, there is none to skip.
      if case .observation(let observation) = subscription.subscriber { observation.mayStillSkip = false }
      return
    }
    if case .follower(let derived) = subscription.subscriber { return take(state, derived) }
    call(subscription, Shown(count: state.count, digest: state.all))
  }

  func call(_ subscription: Subscription, _ shown: Shown) {
    switch subscription.subscriber {
    case .follower, .watch: break
    case .observer(let observer): call(observer, subscription, shown)
    case .observation(let observation):
      change(observation, to: shown)
      if observation.isCancelled { endInItsCall(subscription) }
    }
  }

  private func call(_ observer: Int, _ subscription: Subscription, _ shown: Shown) {
    note(.observed, observer, shown.count, shown.digest)
    lastCalled[observer] = subscription
    react(in: subscription.node.tree, at: Place(.observer, observer))
    if observer.isCompletingObserver {
      // A subscription that ended in its own call is removed after it.
      if subscription.isEnded, subscription.isLinked { unlink(subscription) }
    } else if dying[observer] {
      dying[observer] = false
      endInItsCall(subscription)
    }
  }

  /// Ends an observer by its return value.
  private func endInItsCall(_ subscription: Subscription) {
    let isNew = !subscription.isEnded
    subscription.isEnded = true
    unlink(subscription)
    if isNew { tell(.observerGone, in: subscription.node) }
  }

  func react(in tree: Tree, at place: Place) {
    react(to: tree.latest, at: place)
  }

  /// Runs the reactions in a callback, in which another thread may interrupt.
  func react(to action: Int32, at place: Place) {
    preempt(rarity: 8)
    for operation in scripts.operations(about: action, at: place) { perform(operation) }
  }

  // MARK: Subscribing

  func subscribe(_ observer: Int, _ number: Int) {
    guard let store = stores[number] else { return }
    accept(Subscription(.observer(observer), store: number, node: store.node))
  }

  func subscribeOnce(_ observer: Int, _ number: Int, _ token: Token) {
    guard let store = stores[number] else { return }
    let held = hold(token)
    held.holders += 1
    let subscription = Subscription(.observer(observer), store: number, node: store.node) { [unowned self] in
      release(held)
    }
    if !accept(subscription) { release(subscription) }
    release(held)
  }

  @discardableResult
  func accept(_ subscription: Subscription) -> Bool {
    accept(at: subscription.node) { [unowned self] in greet(subscription) }
  }

  /// Handles a task whose turn has come: it continues if the optional parts have values, and as long as they do.
  func look(at presence: Presence, for task: Task) {
    for (index, watch) in presence.watches.enumerated() {
      guard presence.table.tasks.contains(where: { $0 === task }) else { return }
      let state = watch.node.isOpen ? compose(watch.node) : nil
      let part = state.flatMap { project($0, watch.projections) }
      _ = notice(isThere: part != nil, of: presence, by: index)
      guard part != nil else { return cancel(task, isRevoking: false) }
      guard presence.watched.insert(index).inserted else { continue }
      link(Subscription(.watch(presence, index), store: nil, node: watch.node))
    }
    task.hasTurn = true
  }

  private func greet(_ new: Subscription) {
    let node = new.node
    guard node.isOpen, !new.isEnded else { return letGo { [unowned self] in release(new) } }
    let existing = node.subscriptions.first { $0.isSame(as: new) && !$0.isEnded }
    let subscription = existing ?? new
    if existing == nil { link(new) } else { letGo { [unowned self] in release(new) } }
    if let derived = node.derived {
      call(subscription, Shown(derived.value))
    } else {
      call(subscription, compose(node))
    }
  }

  func link(_ subscription: Subscription) {
    subscription.node.subscriptions.append(subscription)
    subscription.isLinked = true
    subscription.wasLinked = true
    subscription.isCounted = true
    tell(.observerMade, in: subscription.node)
  }

  func end(_ observer: Int) {
    guard observer.isCompletingObserver else {
      dying[observer] = true
      return
    }
    if let subscription = lastCalled[observer] { end(subscription) }
  }

  func end(_ subscription: Subscription) {
    guard !subscription.isEnded else { return }
    subscription.isEnded = true
    if isInside(subscription.node.tree), subscription.node.isOpen { subscription.isCounted = false }
    rearrange(subscription.node) { [unowned self] in
      // If it is not linked yet, it is removed in its turn.
      if subscription.isLinked { takeOut(subscription) } else { subscription.holders += 1 }
      if subscription.wasLinked { post(.observerGone, in: subscription.node) { subscription.node.isOpen } }
      letGo { [unowned self] in release(subscription) }
    }
  }

  private func unlink(_ subscription: Subscription) {
    guard subscription.isLinked else { return }
    takeOut(subscription)
    letGo { [unowned self] in release(subscription) }
  }

  private func takeOut(_ subscription: Subscription) {
    subscription.isLinked = false
    subscription.isCounted = false
    subscription.node.subscriptions.removeAll { $0 === subscription }
  }

  /// Removes one holder of a subscription.
  func release(_ subscription: Subscription) {
    subscription.holders -= 1
    // The first one removes the closure of a completing observer, which may hold the object that it completes.
    guard subscription.holders == 0 || subscription.isCompleting else { return }
    let (whenReleased, kept) = (subscription.whenReleased, subscription.kept)
    subscription.whenReleased = nil
    subscription.kept = nil
    if let kept { release(kept) }
    whenReleased?()
  }
}
