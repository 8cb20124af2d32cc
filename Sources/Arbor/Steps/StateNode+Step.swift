// The life of an action, from `store.dispatch` to an observer, with the file of each stage:
//
//  1. StoreProtocol    `dispatch` calls the `ActionSink` of its store.
//  2. ActionSink       `NodeSink` calls `StateNode.send` with the node's address; a scope's sink embeds the action
//                      first.
//  3. StateNode+Send   `send` adds the tracer's stamp: nothing, unless the tree has monitors.
//  4. NodeAddress      `send` appends the action with the node's handler,
//  5. Tree             under the mailbox's lock, unless the address is closed,
//  6. Mailbox          which counts the entry and returns whether the executor must be woken,
//  7. EntryQueue       and stores the action's bytes in order, in front of them the `Handler` that will run them.
//  8. TreeExecutor     `wake` schedules one drain on the tree's queue,
//  9. Tree+Drain       which runs the entries in order. A thread that waits does the same, in Tree+Wait.
// 10. this file        `run`: interceptors, reducers, effects, of the store's station and each above; see AnyStation,
// 11. StateNode        `notifyTree`: from the root down, each child with its own composition of the state,
// 12. Audience         each observer, in the order in which they subscribed.
//
// A node's functions are put together in StoreFactory.swift (the root) and Store+Child.swift (a child): a store
// without interceptors, effects, mutations and monitors has nil for each of them. It is opened in
// Making/StateNode+Begin.swift, where the tracer is chosen. Stage 11 has three rounds if the tree has derived values:
// the first passes the state to them, the second to the observers, both by the same subscriptions of the children; in
// the third, the observers of the derived values are called. The life of a derived value stands at the head of
// DerivedCore.swift.

/// The step of an action, in its turn: interceptors, reducers, effects, observers.
///
/// - Written once, generic over the tracer: for ``Untraced`` the compiler leaves nothing of the tracing.
extension StateNode {
  /// Runs an action as a step, unless its sender revokes it before or in the interceptors.
  ///
  /// - Parameters:
  ///   - group: Tracks the effects of the action; nil if no caller waits for them.
  ///   - held: The action as an interceptor has held it; nil for any other.
  /// - Returns: `true` if the action was reduced, and that was a step.
  @inlinable @inline(__always)
  @discardableResult
  func step<Tracer: StepTracer>(
    _ action: Action,
    from sender: ActionSender? = nil,
    in group: EffectGroup? = nil,
    resuming held: HeldStep? = nil,
    _ stamp: Tracer.Stamp,
    _ tracer: Tracer
  ) -> Bool {
    var trace = tracer.begin(action, stamp, at: self)
    let isStep = run(action, from: sender, in: group, resuming: held, &trace, tracer)
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
    // A batch of one action needs no deferral: its state is already the final one.
    if actions.count > 1 { tree.afterBatch = [] }
    for action in actions {
      var trace = tracer.begin(action, stamp, at: self)
      if run(action, from: sender, in: nil, &trace, tracer) { isStep = true }
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
    guard commitsInPlace, needs.isDisjoint(with: .judgment.union(.effects)), !tree.hasAdditions, !Tracer.isTracing
    else {
      guard AwaitedCommit.with(change, { step(mutation($0), stamp, tracer) }) else { tree.stop(for: .droppingCommit) }
      return
    }
    let isStep = reducing {
      let isMade = box.write(with: change)
      // The commit as a whole decides, whatever its closure has applied.
      tree.step.writes = .none
      return tree.decide(isMade)
    }
    if isStep { notifyTree() }
  }

  /// Runs an action through all stages but the observers: interceptors, reducers, effects.
  ///
  /// - Parameter held: The action as an interceptor has held it; nil for any other.
  /// - Returns: `true` if the action was reduced, and that was a step.
  @inlinable @inline(__always)
  func run<Tracer: StepTracer>(
    _ action: Action,
    from sender: ActionSender?,
    in group: EffectGroup?,
    resuming held: HeldStep? = nil,
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
    tree.step.form &+= 1
    // Read once: a node that is freed on another queue may take the last addition with it.
    let hasAdditions = tree.hasAdditions
    guard needs.isDisjoint(with: .stages), !hasAdditions, held == nil else {
      return runInStages(action, from: sender, in: group, resuming: held, hasAdditions: hasAdditions, &trace, tracer)
    }
    defer { tree.letGoOfKeptParts() }
    let isStep = reducing { tree.decide(reduceDirectly(action)) }
    tracer.didReduce(&trace, at: self)
    guard isStep else {
      tracer.didNotStep(&trace, .failed)
      return false
    }
    guard needs.contains(.effects) else { return true }
    performing { performDirectly(action, in: group) }
    tracer.didPerform(&trace)
    return true
  }

  /// Runs an action that each station has in a form of its own.
  ///
  /// - Parameter hasAdditions: `true` if interceptors or effects were added to any station of the tree.
  @inlinable @inline(__always)
  func runInStages<Tracer: StepTracer>(
    _ action: Action,
    from sender: ActionSender?,
    in group: EffectGroup?,
    resuming held: HeldStep?,
    hasAdditions: Bool,
    _ trace: inout Tracer.Trace,
    _ tracer: Tracer
  ) -> Bool {
    defer {
      _ = visitAll(.end)
      tree.letGoOfKeptParts()
    }
    var position = StepPosition(at: .passUnretained(self))
    if let held { position = held.restore(on: tree) } else { self.action = action }
    tree.step.undecidedSender = sender
    tree.enter(.interceptors)
    var judgment = held == nil ? judgeHere(from: &position) : .passed
    if case .passed = judgment, position.station != nil { judgment = judgeAll(from: &position) }
    let isRevoked = sender != nil && tree.step.undecidedSender?.isRevoked == true
    tree.step.undecidedSender = nil
    if hasAdditions || needs.contains(.judgment) || held != nil { tracer.didIntercept(&trace) }
    guard !isRevoked else {
      if case .held(let receiver) = judgment { Tree.releaseLater(receiver) }
      tracer.didNotStep(&trace, .revoked)
      return false
    }
    switch judgment {
    case .passed: break
    case .dropped:
      tracer.didNotStep(&trace, .dropped)
      return false
    case .held(let receiver):
      hold(at: position, from: sender, tracer, receiver)
      tracer.didNotStep(&trace, .held)
      return false
    }
    let restorations = needs.contains(.failing) ? restorations() : []
    tree.step.hasAwaitedChange = false
    let isStep = reducing {
      let isStep = tree.decide(visitAll(.reducers))
      if !isStep { undo(restorations) }
      return isStep
    }
    tracer.didReduce(&trace, at: self)
    guard isStep else {
      tracer.didNotStep(&trace, .failed)
      return false
    }
    if needs.contains(.effects) {
      performing { _ = visitAll(.effects(group)) }
      tracer.didPerform(&trace)
    }
    if hasAdditions {
      performing { performAllAdditions(in: group) }
      tracer.didPerform(&trace)
    }
    return true
  }

  /// Performs effects. A state that a child composes inside is kept for the observers.
  @inlinable @inline(__always)
  func performing(_ perform: () -> Void) {
    tree.enter(.effects)
    tree.isPerformingEffects = true
    perform()
    tree.isPerformingEffects = false
  }

  /// Runs reducers. Reading a state of the tree inside stops the program.
  @inlinable @inline(__always)
  func reducing(_ reduce: () -> Bool) -> Bool {
    tree.enter(.reducers)
    tree.isReducing = true
    let isStep = reduce()
    tree.isReducing = false
    return isStep
  }
}

extension StateNode {
  /// Keeps the running action, which an interceptor holds, and gives the interceptor its token.
  @usableFromInline
  func hold<Tracer: StepTracer>(
    at position: StepPosition,
    from sender: ActionSender?,
    _: Tracer,
    _ receiver: HoldReceiver
  ) {
    Tree.releaseLater(receiver)
    guard let action else { return }
    // The stamp is made now, while the cause of the action is known.
    let stamp = Tracer.stamp(on: tree, from: sender)
    let held = HeldStep(at: self, position) { node, held in
      let tracer = Tracer.of(node.tree)
      unsafeDowncast(node, to: StateNode.self).step(action, from: sender, resuming: held, stamp, tracer)
    }
    let number = heldSteps.add(held)
    let decide: @Sendable (ActionHold.Decision) -> Void = { [address = nodeAddress] decision in
      switch decision {
      case .goOn(let replacement):
        _ = StateNode.append([action], from: sender, to: address) { node in
          node.heldSteps.resume(number, at: node, replacing: replacement)
        }
      case .drop:
        _ = address.tree.append(at: address) { unsafeDowncast($0, to: StateNode.self).heldSteps.drop(number) }
      }
    }
    receiver.receive(ActionHold(of: Action.self, at: nodeAddress, decide: decide))
  }
}
