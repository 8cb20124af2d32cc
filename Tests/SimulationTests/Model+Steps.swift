/// The path of an action: interceptors, reducers, observers.
extension Model {
  /// Runs actions that were accepted together.
  ///
  /// - Parameters:
  ///   - isRevoked: Returns `true` if the task that sent them has revoked them.
  ///   - whenDone: Called for each action at the end, or when an action that an interceptor holds has ended.
  func step(
    _ node: Node,
    _ actions: [Action],
    isBatch: Bool = false,
    isRevoked: @escaping () -> Bool = { false },
    whenDone: @escaping () -> Void = {}
  ) {
    let steps = actions.map { Step($0, at: node, isRevoked: isRevoked, whenDone: whenDone) }
    run(steps, at: node, isBatch: isBatch && actions.count > 1)
  }

  /// Continues actions from their current positions.
  func run(_ steps: [Step], at node: Node, isBatch: Bool = false) {
    let actions = steps.map(\.action)
    node.tree.isInBatch = isBatch
    let outcomes = steps.map { pass($0) }
    endBatch(in: node.tree)
    if outcomes.contains(where: \.isStep) {
      notify(node.tree)
      if node.tree.isFollowed { note(.saved, node.tree.number, 0, root(of: node).digest.all) }
    }
    for (index, (action, outcome)) in zip(actions, outcomes).enumerated() {
      record(action, outcome, isLast: index == actions.count - 1, at: node)
    }
    for (step, outcome) in zip(steps, outcomes) where outcome.outcome != .held { step.whenDone() }
  }

  /// Lets the state effects follow the state after the last action.
  private func endBatch(in tree: Tree) {
    tree.isInBatch = false
    tree.isSettingOff = true
    for follow in tree.afterBatch { follow.work() }
    tree.isSettingOff = false
    tree.afterBatch = []
  }

  /// Lets the state effects of a feature follow the state: in a batch, once, at its end.
  func followStep(_ feature: Feature, at node: Node, _ work: @escaping () -> Void) {
    guard node.tree.isInBatch else { return work() }
    guard !node.tree.afterBatch.contains(where: { $0.feature === feature }) else { return }
    node.tree.afterBatch.append((feature, work))
  }

  private func root(of node: Node) -> Node { node.parent.map { root(of: $0.node) } ?? node }

  private func pass(_ step: Step) -> Verdict {
    guard !step.isRevoked() else { return Verdict(.revoked) }
    let judgment = intercept(from: &step.position, before: step.end)
    guard !step.isRevoked() else { return Verdict(.revoked) }
    switch judgment {
    case .dropped: return Verdict(.dropped)
    case .held:
      hold(step)
      return Verdict(.held)
    case .passed: break
    }
    let way = step.position.way
    guard reduce(way) else { return Verdict(.failed, states: way.count) }
    let tree = step.node.tree
    tree.isSettingOff = true
    for stop in way { setOff(stop.action, at: stop.node) }
    tree.isSettingOff = false
    return Verdict(way.contains(where: \.isReplaced) ? .replaced : .reduced, states: way.count)
  }

  /// The outcome of an action.
  struct Verdict {
    let outcome: RecordedOutcome

    /// The number of nodes that have reduced it, or tried to.
    let states: Int

    init(_ outcome: RecordedOutcome, states: Int = 0) {
      self.outcome = outcome
      self.states = states
    }

    var isStep: Bool { outcome == .reduced || outcome == .replaced }
  }

  /// A node on an action's path, and the action that it reduces.
  struct Stop {
    let node: Node
    let action: Action

    /// `true` if an interceptor there has replaced another action by it.
    var isReplaced: Bool
  }

  // MARK: Interceptors

  /// The progress of an action through the interceptors.
  struct Position {
    /// The nodes that it has passed, each with the action that it reduces, and finally the current one.
    var way: [Stop]

    /// The next interceptor of the node's features.
    var feature = 0

    /// The next added interceptor, by its position in the order of adding.
    var addition = 0

    /// The target of the `dispatch` that interceptors receive.
    var context: Int

    /// The part to which the feature of the last interceptor belongs; nil for the feature of the whole.
    var part: StatePart?

    init(_ node: Node, _ action: Action) {
      way = [Stop(node: node, action: action, isReplaced: false)]
      context = node.number
    }

    var here: Stop {
      get { way[way.count - 1] }
      set { way[way.count - 1] = newValue }
    }

    /// Continues with another action, which belongs to the same part.
    mutating func replace(by script: Script) {
      var action = Action(script, in: here.node.tree).embedded(in: part)
      action.replacesOptional = here.action.isOfEven || here.action.replacesOptional
      here = Stop(node: here.node, action: action, isReplaced: true)
    }
  }

  /// The decision of the interceptors about an action.
  enum Judgment {
    case passed, dropped, held
  }

  /// Calls the interceptors from a position up to the root.
  ///
  /// - Parameter end: The position of the first added interceptor that is not called.
  private func intercept(from position: inout Position, before end: Int) -> Judgment {
    while true {
      let node = position.here.node
      while position.feature < node.features.count {
        let feature = node.features[position.feature]
        position.feature += 1
        let action = position.here.action
        guard feature.intercepts(action, in: node) else { continue }
        let part = feature.plan == nil ? nil : action.part
        note(.intercepted, node.number, action.number, digest(of: action, in: part, of: node))
        contexts[node.number] = (position.context, part)
        let judgment = judge(at: Place(.interceptor, node.number, part?.kind), from: &position, in: part)
        guard judgment == .passed else { return judgment }
      }
      for addition in node.additions where addition.position >= position.addition && addition.position < end {
        // While the store's scope is nil, actions pass.
        guard compose(node).flatMap({ project($0, addition.projections) }) != nil else { continue }
        position.addition = addition.position + 1
        note(.judged, addition.number, position.here.action.number, position.here.action.simulated.digest)
        let judgment = judge(at: Place(.interceptor, addition.number), from: &position, in: nil)
        guard judgment == .passed else { return judgment }
      }
      guard let parent = node.parent else { return .passed }
      position.feature = 0
      position.addition = 0
      // The `dispatch` of the node takes the node's type of actions, so above such a scope the parent's is passed.
      if !parent.embeddings.isEmpty { position.context = parent.node.number }
      position.way.append(Stop(node: parent.node, action: parent.embed(position.here.action), isReplaced: false))
    }
  }

  /// Calls one interceptor with an action.
  ///
  /// - Parameter part: The part to which the interceptor's feature belongs; nil for the feature of the whole.
  private func judge(at place: Place, from position: inout Position, in part: StatePart?) -> Judgment {
    let action = position.here.action
    position.part = part
    react(to: action.number, at: place)
    switch scripts.deed(about: action.number, at: place) {
    case .wrap: position.here.isReplaced = true
    case .drop where !action.isAwaited: return .dropped
    case .hold where !action.isAwaited: return .held
    case .replace(let script) where !action.isAwaited: position.replace(by: script)
    default: break
    }
    return .passed
  }

  /// An interceptor that was added to a store.
  final class Addition {
    let number: Int
    weak var node: Node?

    /// The projections of the store.
    let projections: [Projection]

    /// Its position among all that judge and hold, set in its turn.
    var position = 0

    init(_ number: Int, to store: Store) {
      self.number = number
      node = store.node
      projections = store.projections
    }
  }

  func addInterceptor(_ number: Int, _ store: Int) {
    guard additions[number] == nil, let store = stores[store], store.embeddings.isEmpty else { return }
    let addition = Addition(number, to: store)
    accept(at: store.node, .follows) { [unowned self] in
      lastPosition += 1
      addition.position = lastPosition
      store.node.additions.append(addition)
    }
    // Another thread may have added one of the same number meanwhile.
    if additions[number] == nil { additions[number] = addition } else { remove(addition) }
  }

  func removeInterceptor(_ number: Int) {
    if let addition = additions[number].take() { remove(addition) }
  }

  private func remove(_ addition: Addition) {
    guard let node = addition.node else { return }
    accept(at: node, .follows) { node.additions.removeAll { $0 === addition } }
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
        // A reducer that applied a failing mutation may have changed something.
        if way.dropLast().contains(where: { isToRefuse($0.action, at: $0.node) }) { node.tree.revision += 1 }
        return false
      }
      for feature in node.features { reduce(action, by: feature, at: node) }
    }
    let (root, action) = (way[way.count - 1].node, way[way.count - 1].action)
    root.tree.latest = action.number
    root.tree.revision += 1
    if root.plan.hasMiddleware { note(.followed, root.number, action.number, root.digest.all) }
    if root.tree.isFollowed { note(.received, root.tree.number, action.number) }
    // Everything that the reducers of enum actions applied has failed.
    return root.tree.isOfCommits || !way.contains { isToRefuse($0.action, at: $0.node) }
  }

  /// `true` if a reducer must make an action fail.
  private func isToRefuse(_ action: Action, at node: Node) -> Bool {
    if case .refuse = scripts.deed(about: action.number, at: Place(.reducer, node.number)) { true } else { false }
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

  /// `true` if a commit fails: because its part is nil, or because it throws.
  private func isRefused(_ action: Action, by root: Node) -> Bool {
    guard root.tree.isOfCommits else { return false }
    if action.isOfEven, !root.digest.count.isMultiple(of: 2) { return true }
    let refuses = isToRefuse(action, at: root)
    if action.replacesOptional, refuses || action.number.isMultiple(of: 5) {
      // Everything it applies fails, so it is undone.
      note(.reduced, root.number, action.number, action.simulated.digest)
      root.tree.latest = action.number
      return true
    }
    // Only a commit with a waiting caller can throw.
    guard action.isAwaited, refuses else { return false }
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
    // Computed once for all effects and observers of a step.
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
