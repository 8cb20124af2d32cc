// The life of an action, from `store.dispatch` to an observer, with the file of each stage:
//
//  1. StoreProtocol    `dispatch` calls the `ActionSink` of its store.
//  2. ActionSink       `NodeSink` calls `StateNode.send` with the node's address; a scope's sink embeds the action
//                      first.
//  3. this file        `send` adds the tracer's stamp: nothing, unless the tree has monitors.
//  4. NodeAddress      `send` appends the action with the node's handler,
//  5. Tree             under the mailbox's lock, unless the address is closed,
//  6. Mailbox          which counts the entry and returns whether the executor must be woken,
//  7. EntryQueue       and stores the action's bytes in order, in front of them the `Handler` that will run them.
//  8. TreeExecutor     `wake` schedules one drain on the tree's queue,
//  9. Tree+Drain       which runs the entries in order. A thread that waits does the same, in Tree+Wait.
// 10. this file        `step`: interceptors, reducers, effects,
// 11. StateNode        `notifyTree`: from the root down, each child with its own composition of the state,
// 12. Audience         each observer, in the order in which they subscribed.
//
// A node's functions are put together in StoreFactory.swift (the root) and Store+Child.swift (a child): a store
// without interceptors, effects, mutations and monitors has nil for each of them. It is opened in
// Making/StateNode+Begin.swift, where the tracer is chosen. Stage 11 has three rounds if the tree has derived values:
// the first passes the state to them, the second to the observers, both by the same subscriptions of the children; in
// the third, the observers of the derived values are called. The life of a derived value stands at the head of
// DerivedCore.swift.

/// Appending actions to the mailbox, and the handlers that run them in their turn.
extension StateNode {
  /// Sends an action without waiting for its step.
  ///
  /// - Returns: `true` if it was accepted.
  @inlinable @inline(__always)
  static func send<Tracer: StepTracer>(_ action: Action, to address: NodeAddress, _: Tracer.Type) -> Bool {
    let stamp = Tracer.stamp(on: address.tree, from: nil)
    if Tracer.isTracing, address.tree.isShowingMoment { return drop([action], at: address, stamp, Tracer.self) }
    guard Handler.canStore(Action.self, Tracer.Stamp.self) else {
      return append([action], to: address) { node in node.step(action, stamp, Tracer.of(node.tree)) }
    }
    return address.send(action, stamp)
  }

  /// Sends a batch, a revocable action or an awaited action.
  ///
  /// - Returns: `true` if it was accepted.
  @inlinable
  static func submit<Tracer: StepTracer>(
    _ submission: Submission<Action>,
    to address: NodeAddress,
    _: Tracer.Type
  ) -> Bool {
    let stamp = Tracer.stamp(on: address.tree, from: submission.sender)
    switch submission {
    case .batch(let actions, let completion):
      guard !actions.isEmpty || completion != nil else { return address.isOpen }
      if Tracer.isTracing, completion == nil, address.tree.isShowingMoment {
        return drop(actions, at: address, stamp, Tracer.self)
      }
      return append(actions, isAwaited: completion != nil, to: address) { node in
        node.step(batch: actions, stamp, Tracer.of(node.tree))
        if let completion { node.tree.complete(completion) }
      }
    case .waitingBatch(let actions, let condition):
      return address.tree.runInTurn(at: address, orStopWith: .waitingInsideItsOwnTree) { node in
        guard condition?() != false else { return }
        unsafeDowncast(node, to: StateNode.self).step(batch: actions, stamp, Tracer.of(address.tree))
      }
    case .revocable(let action, let sender):
      guard !sender.isOver else { return false }
      if Tracer.isTracing, address.tree.isShowingMoment { return drop([action], at: address, stamp, Tracer.self) }
      return append([action], from: sender, to: address) { node in
        node.step(action, from: sender, stamp, Tracer.of(node.tree))
      }
    case .revocableBatch(let actions, let sender):
      guard !sender.isOver else { return false }
      if Tracer.isTracing, address.tree.isShowingMoment { return drop(actions, at: address, stamp, Tracer.self) }
      return append(actions, from: sender, to: address) { node in
        node.step(batch: actions, from: sender, stamp, Tracer.of(node.tree))
      }
    case .waiting(let action):
      return address.tree.runInTurn(at: address, orStopWith: .waitingInsideItsOwnTree) { node in
        unsafeDowncast(node, to: StateNode.self).step(action, stamp, Tracer.of(address.tree))
      }
    case .awaited(let action, let step):
      return append([action], isAwaited: true, to: address) { node in
        let isReduced = node.step(action, in: step.effects, stamp, Tracer.of(node.tree))
        step.didRun?(isReduced)
        node.tree.complete(step.completion)
      }
    }
  }

  /// Appends work that runs actions as one step.
  @inlinable
  static func append(
    _ actions: @autoclosure () -> [Action],
    from sender: ActionSender? = nil,
    isAwaited: Bool = false,
    to address: NodeAddress,
    _ work: @escaping @Sendable (StateNode) -> Void
  ) -> Bool {
    // Built for an inspection only.
    var describe: (@Sendable (AnyObject) -> WaitingEntry)?
    if address.tree.inspection != nil {
      describe = { [actions = actions()] node in
        let store = unsafeDowncast(node, to: StateNode.self).monitored
        return WaitingEntry(.actions, sender?.isRevoked == true ? [] : actions, of: store, isAwaited: isAwaited)
      }
    }
    return address.tree.append(at: address, isAwaited ? .awaitedActions : .actions, describe: describe) { node in
      work(unsafeDowncast(node, to: StateNode.self))
    }
  }

  /// Makes the handler of plain actions, which are stored in the mailbox as they are.
  @inlinable
  static func handler<Tracer: StepTracer>(of node: Unmanaged<StateNode>, _: Tracer.Type) -> Handler {
    Handler(of: node) { (node: StateNode, action: Action, stamp: Tracer.Stamp) in
      node.step(action, stamp, Tracer.of(node.tree))
    } describe: { node, action in
      WaitingEntry(.actions, [action], of: node.monitored)
    }
  }
}

/// The step of an action, in its turn: interceptors, reducers, effects, observers.
///
/// - Written once, generic over the tracer: for ``Untraced`` the compiler leaves nothing of the tracing.
extension StateNode {
  /// Runs an action as a step, unless its sender revokes it before or in the interceptors.
  ///
  /// - Parameters:
  ///   - group: Tracks the effects of the action; nil if no caller waits for them.
  ///   - rest: The interceptors that are left for an action that was held; nil for any other.
  /// - Returns: `true` if the action was reduced, and that was a step.
  @inlinable @inline(__always)
  @discardableResult
  func step<Tracer: StepTracer>(
    _ action: Action,
    from sender: ActionSender? = nil,
    in group: EffectGroup? = nil,
    resuming rest: InterceptorChain<Action>.Pass? = nil,
    _ stamp: Tracer.Stamp,
    _ tracer: Tracer
  ) -> Bool {
    var trace = tracer.begin(action, stamp, at: self)
    let isStep = interceptAndReduce(action, from: sender, in: group, resuming: rest, &trace, tracer)
    if isStep {
      notifyTree()
      tracer.didNotify(&trace)
    }
    tracer.finish(action, &trace, isLastOfStep: true, at: self)
    return isStep
  }

  /// Runs a batch as one step, if at least one of its actions is reduced.
  @inlinable
  func step<Tracer: StepTracer>(
    batch actions: [Action],
    from sender: ActionSender? = nil,
    _ stamp: Tracer.Stamp,
    _ tracer: Tracer
  ) {
    var traces: [Tracer.Trace] = []
    var isStep = false
    // After the only action, the state is that of the step.
    if actions.count > 1 { tree.afterBatch = [] }
    for action in actions {
      var trace = tracer.begin(action, stamp, at: self)
      if interceptAndReduce(action, from: sender, in: nil, &trace, tracer) { isStep = true }
      if Tracer.isTracing { traces.append(trace) }
    }
    tree.endBatch()
    let last = actions.count - 1
    if isStep {
      if Tracer.isTracing { tracer.willNotify(&traces[last]) }
      notifyTree()
      if Tracer.isTracing { tracer.didNotify(&traces[last]) }
    }
    for index in traces.indices { tracer.finish(actions[index], &traces[index], isLastOfStep: index == last, at: self) }
  }

  /// Runs a commit whose caller waits, as a step. Its action is made only if interceptors, effects or a tracer see it.
  @inlinable
  func step<Tracer: StepTracer>(
    _ change: StateWrite,
    _ mutation: (AwaitedCommit) -> Action,
    _ stamp: Tracer.Stamp,
    _ tracer: Tracer
  ) {
    guard writeInPlace != nil, intercept == nil, effects == nil, !tree.hasAdditions, !Tracer.isTracing else {
      guard AwaitedCommit.with(change, { step(mutation($0), stamp, tracer) }) else { tree.stop(for: .droppingCommit) }
      return
    }
    let isStep = reducing {
      let isMade = writeInPlace?(change) == true
      tree.disregardWrites()
      return isMade
    }
    if isStep { notifyTree() }
  }

  /// Runs the interceptors on an action, and then its reducers and effects.
  ///
  /// - Parameter rest: The interceptors that are left for an action that was held; nil for any other.
  /// - Returns: `true` if the action was reduced, and that was a step.
  @inlinable @inline(__always)
  func interceptAndReduce<Tracer: StepTracer>(
    _ action: Action,
    from sender: ActionSender?,
    in group: EffectGroup?,
    resuming rest: InterceptorChain<Action>.Pass? = nil,
    _ trace: inout Tracer.Trace,
    _ tracer: Tracer
  ) -> Bool {
    if sender?.isRevoked == true {
      tracer.didNotStep(&trace, .revoked)
      return false
    }
    if Tracer.isTracing, tree.dropsActions {
      tracer.didNotStep(&trace, .dropped)
      return false
    }
    tree.actionForm &+= 1
    // Read once: a node that is freed on another queue may take the last addition with it.
    let hasAdditions = tree.hasAdditions
    guard rest != nil || intercept != nil || hasAdditions else {
      return reduceAndPerform(action, in: group, &trace, tracer)
    }
    var action = action
    tree.enter(.interceptors)
    tree.runningActionCanFail = canFail?(action) == true
    if sender != nil { tree.undecidedSender = sender }
    defer {
      tree.runningActionCanFail = false
      if sender != nil { tree.undecidedSender = nil }
      if hasAdditions { endAllAdditions() }
    }
    // Optional chaining, unlike a binding, does not retain the closure.
    let isPassed = if let rest { rest(&action) } else { intercept?(&action) ?? passesAdditions(&action, tracer) }
    tracer.didIntercept(&trace)
    if sender != nil, tree.undecidedSender?.isRevoked == true {
      discard?()
      tree.releaseHeldStep()
      tracer.didNotStep(&trace, .revoked)
      return false
    }
    guard isPassed else {
      discard?()
      let isHeld = tree.heldStep != nil
      if isHeld { hold(action, from: sender, tracer) }
      tracer.didNotStep(&trace, isHeld ? .held : .dropped)
      return false
    }
    guard reduceAndPerform(action, in: group, &trace, tracer) else { return false }
    if hasAdditions {
      noteAction(action)
      performAllAdditions(in: group)
      tracer.didPerform(&trace)
    }
    return true
  }

  /// Reduces an action and performs its effects.
  ///
  /// - Returns: `true` if that was a step.
  @inlinable @inline(__always)
  func reduceAndPerform<Tracer: StepTracer>(
    _ action: Action,
    in group: EffectGroup?,
    _ trace: inout Tracer.Trace,
    _ tracer: Tracer
  ) -> Bool {
    let isStep = reducing { reduce(action) }
    tracer.didReduce(&trace, at: self)
    guard isStep else {
      discard?()
      tracer.didNotStep(&trace, .failed)
      return false
    }
    guard effects != nil else { return true }
    tree.enter(.effects)
    tree.isPerformingEffects = true
    effects?(action, group)
    tree.isPerformingEffects = false
    tracer.didPerform(&trace)
    return true
  }

  /// Runs reducers. Reading a state of the tree inside stops the program.
  ///
  /// - Returns: `true` if that was a step, `false` if all mutations that the reducers applied have failed.
  @inlinable @inline(__always)
  func reducing(_ reduce: () -> Bool) -> Bool {
    tree.enter(.reducers)
    tree.isReducing = true
    let isStep = reduce()
    tree.isReducing = false
    guard !tree.takeFailedWrite(), isStep else { return false }
    tree.revision &+= 1
    return true
  }
}
