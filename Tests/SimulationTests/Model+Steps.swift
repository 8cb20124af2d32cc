/// The way of an action: interceptors, reducers, observers.
extension Model {
  /// What becomes of actions that were accepted as one.
  ///
  /// - Parameter isRevoked: Whether the task that has sent them has revoked them.
  func step(_ node: Node, _ actions: [Action], isBatch: Bool = false, isRevoked: () -> Bool = { false }) {
    node.tree.isInBatch = isBatch && actions.count > 1
    let outcomes = actions.map { pass(node, $0, isRevoked) }
    endBatch(in: node.tree)
    if outcomes.contains(where: \.isStep) {
      notify(node.tree)
      if node.tree.isFollowed { note(.saved, node.tree.number, 0, root(of: node).digest.all) }
    }
    for (index, (action, outcome)) in zip(actions, outcomes).enumerated() {
      record(action, outcome, isLast: index == actions.count - 1, at: node)
    }
  }

  /// The state effects follow the state that the last action has left.
  private func endBatch(in tree: Tree) {
    tree.isInBatch = false
    tree.isSettingOff = true
    for follow in tree.afterBatch { follow.work() }
    tree.isSettingOff = false
    tree.afterBatch = []
  }

  /// Lets the state effects of a feature follow the state: in a batch, once, when it ends.
  func followStep(_ feature: Feature, at node: Node, _ work: @escaping () -> Void) {
    guard node.tree.isInBatch else { return work() }
    guard !node.tree.afterBatch.contains(where: { $0.feature === feature }) else { return }
    node.tree.afterBatch.append((feature, work))
  }

  private func root(of node: Node) -> Node { node.parent.map { root(of: $0.node) } ?? node }

  private func pass(_ node: Node, _ action: Action, _ isRevoked: () -> Bool) -> Verdict {
    guard !isRevoked() else { return Verdict(.revoked) }
    let way = intercept(node, action, context: node.number)
    guard !isRevoked() else { return Verdict(.revoked) }
    guard let way else { return Verdict(.dropped) }
    guard reduce(way) else { return Verdict(.failed, states: way.count) }
    node.tree.isSettingOff = true
    for stop in way { setOff(stop.action, at: stop.node) }
    node.tree.isSettingOff = false
    return Verdict(way.contains(where: \.isReplaced) ? .replaced : .reduced, states: way.count)
  }

  /// What has become of an action.
  struct Verdict {
    let outcome: RecordedOutcome

    /// How many nodes have reduced it, or have tried to.
    let states: Int

    init(_ outcome: RecordedOutcome, states: Int = 0) {
      self.outcome = outcome
      self.states = states
    }

    var isStep: Bool { outcome == .reduced || outcome == .replaced }
  }

  /// A node on an action's way, and the action that it reduces.
  struct Stop {
    let node: Node
    let action: Action

    /// Whether an interceptor there has put it in the place of another one.
    let isReplaced: Bool
  }

  // MARK: Interceptors

  /// Asks the interceptors from a node up to the root.
  ///
  /// - Returns: Each node with the action that it reduces; nil if the action was dropped.
  private func intercept(_ node: Node, _ action: Action, context: Int) -> [Stop]? {
    var action = action
    var isReplaced = false
    for feature in node.features where feature.intercepts(action, in: node) {
      let part = feature.plan == nil ? nil : action.part
      let place = Place(.interceptor, node.number, part?.kind)
      note(.intercepted, node.number, action.number, digest(of: action, in: part, of: node))
      contexts[node.number] = (context, part)
      react(to: action.number, at: place)
      switch scripts.deed(about: action.number, at: place) {
      case .wrap: isReplaced = true
      case .drop where !action.isAwaited: return nil
      case .replace(let script) where !action.isAwaited:
        (action, isReplaced) = (Action(script, in: node.tree).embedded(in: part), true)
      default: break
      }
    }
    for addition in node.additions {
      // While the store's scope is nil, actions pass.
      guard compose(node).flatMap({ project($0, addition.projections) }) != nil else { continue }
      let place = Place(.interceptor, addition.number)
      note(.judged, addition.number, action.number, action.simulated.digest)
      react(to: action.number, at: place)
      switch scripts.deed(about: action.number, at: place) {
      case .wrap: isReplaced = true
      case .drop where !action.isAwaited: return nil
      case .replace(let script) where !action.isAwaited: (action, isReplaced) = (Action(script, in: node.tree), true)
      default: break
      }
    }
    let stop = Stop(node: node, action: action, isReplaced: isReplaced)
    guard let parent = node.parent else { return [stop] }
    // Above a scope with its own type of actions nobody knows the type that the node's own dispatch takes.
    let contextAbove = parent.embeddings.isEmpty ? context : parent.node.number
    return intercept(parent.node, parent.embed(action), context: contextAbove).map { [stop] + $0 }
  }

  func addInterceptor(_ number: Int, _ store: Int) {
    guard additions[number] == nil, let store = stores[store], store.embeddings.isEmpty else { return }
    let node = store.node
    additions[number] = node
    accept(at: node) { node.additions.append((number, store.projections)) }
  }

  func removeInterceptor(_ number: Int) {
    guard let node = additions[number].take() else { return }
    accept(at: node) { node.additions.removeAll { $0.number == number } }
  }

  // MARK: Reducers

  private func reduce(_ way: [Stop]) -> Bool {
    let before = way.map { ($0.node.digest, $0.node.job, $0.node.parts) }
    for stop in way {
      let (node, action) = (stop.node, stop.action)
      if node.parent == nil, isRefused(action, by: node) {
        for (stop, (digest, job, parts)) in zip(way, before) {
          (stop.node.digest, stop.node.job, stop.node.parts) = (digest, job, parts)
        }
        return false
      }
      for feature in node.features { reduce(action, by: feature, at: node) }
    }
    let (root, action) = (way[way.count - 1].node, way[way.count - 1].action)
    root.tree.latest = action.number
    root.tree.revision += 1
    if root.plan.hasMiddleware { note(.followed, root.number, action.number, root.digest.all) }
    if root.tree.isFollowed { note(.received, root.tree.number, action.number) }
    return true
  }

  private func reduce(_ action: Action, by feature: Feature, at node: Node) {
    guard feature.plan == nil else { return reducePart(action, by: feature, at: node) }
    note(.reduced, node.number, action.number, action.simulated.digest)
    node.digest.reduce(action.simulated)
    if node.parent == nil { changeRecords(of: node, by: action) }
    switch scripts.deed(about: action.number, at: Place(.reducer, node.number)) {
    case .job(let verb): node.job.change(verb)
    case .parts(let verb): node.parts.change(verb)
    default: break
    }
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
    if node.tree.isSettingOff, let known = node.tree.composed[node.number] { return known }
    let state = view(parent).map { map(node, $0) }
    // For all effects and observers of a step together.
    if node.tree.isSettingOff, !node.tree.isInBatch { node.tree.composed[node.number] = state }
    return state
  }

  func map(_ node: Node, _ above: Digest) -> Digest {
    note(.mapped, node.number)
    return above.composed(with: node.digest)
  }

  func project(_ state: Digest, _ store: Store) -> Digest? { project(state, store.projections) }

  func project(_ state: Digest, _ projections: [Projection]) -> Digest? {
    var state = Optional(state)
    for projection in projections { state = state.flatMap { projection.apply(to: $0) } }
    return state
  }
}
