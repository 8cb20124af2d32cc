/// The way of an action: interceptors, reducers, observers.
extension Model {
  /// What becomes of actions that were accepted as one.
  ///
  /// - Parameter isRevoked: Whether the task that has sent them has revoked them.
  func step(_ node: Node, _ actions: [Action], isBatch: Bool = false, isRevoked: () -> Bool = { false }) {
    guard !isRevoked() else { return }
    var isStep = false
    node.tree.isInBatch = isBatch
    for action in actions where pass(node, action, isRevoked) { isStep = true }
    node.tree.isInBatch = false
    if isStep { notify(node.tree) }
  }

  /// - Returns: Whether the action was reduced.
  private func pass(_ node: Node, _ action: Action, _ isRevoked: () -> Bool) -> Bool {
    guard let way = intercept(node, action, context: node.number), !isRevoked(), reduce(way) else { return false }
    for (node, action) in way { setOff(action, at: node) }
    return true
  }

  // MARK: Interceptors

  /// Asks the interceptors from a node up to the root.
  ///
  /// - Returns: Each node with the action that it reduces; nil if the action was dropped.
  private func intercept(_ node: Node, _ action: Action, context: Int) -> [(node: Node, action: Action)]? {
    var action = action
    if node.plan.intercepts {
      let place = Place(.interceptor, node.number)
      note(.intercepted, node.number, action.number, UInt64(UInt32(truncatingIfNeeded: action.path)))
      contexts[node.number] = context
      react(to: action.number, at: place)
      switch action.isAwaited ? nil : scripts.deed(about: action.number, at: place) {
      case .drop: return nil
      case .replace(let script): action = Action(script)
      default: break
      }
    }
    guard let parent = node.parent else { return [(node, action)] }
    // Above a scope with its own type of actions nobody knows the type that the node's own dispatch takes.
    let contextAbove = parent.embeddings.isEmpty ? context : parent.node.number
    return intercept(parent.node, parent.embed(action), context: contextAbove).map { [(node, action)] + $0 }
  }

  // MARK: Reducers

  private func reduce(_ way: [(node: Node, action: Action)]) -> Bool {
    let before = way.map { ($0.node.digest, $0.node.job) }
    for (node, action) in way {
      if node.parent == nil, isRefused(action, by: node) {
        for ((node, _), (digest, job)) in zip(way, before) { (node.digest, node.job) = (digest, job) }
        return false
      }
      note(.reduced, node.number, action.number, UInt64(UInt32(truncatingIfNeeded: action.path)))
      node.digest.reduce(action.simulated)
      if case .job(let verb) = scripts.deed(about: action.number, at: Place(.reducer, node.number)) {
        node.job.change(verb)
      }
    }
    let (root, action) = way[way.count - 1]
    root.tree.latest = action.number
    root.tree.revision += 1
    if root.plan.hasMiddleware { note(.followed, root.number, action.number, root.digest.all) }
    return true
  }

  /// Whether a commit fails: because its part is not there, or because it throws.
  private func isRefused(_ action: Action, by root: Node) -> Bool {
    guard root.tree.isOfCommits else { return false }
    if action.isOfEven, !root.digest.count.isMultiple(of: 2) { return true }
    // One that nobody waits for cannot throw.
    guard action.isAwaited, case .refuse = scripts.deed(about: action.number, at: Place(.reducer, root.number)) else {
      return false
    }
    note(.refused, root.number, action.number)
    return true
  }

  // MARK: States

  func view(_ store: Store) -> Digest? {
    compose(store.node).flatMap { project($0, store) }
  }

  func compose(_ node: Node) -> Digest? {
    guard let parent = node.parent else { return node.digest }
    return view(parent).map { map(node, $0) }
  }

  func map(_ node: Node, _ above: Digest) -> Digest {
    note(.mapped, node.number)
    return above.composed(with: node.digest)
  }

  func project(_ state: Digest, _ store: Store) -> Digest? {
    var state = Optional(state)
    for projection in store.projections { state = state.flatMap { projection.apply(to: $0) } }
    return state
  }
}
