/// The way of an action, once its turn has come: interceptors, reducers, effects, observers.
///
/// - Written once, for a tracer that looks on or for none, of which the compiler leaves nothing.
extension StateNode {
  /// Takes an action through its step, unless its sender has revoked it, if only in an interceptor.
  ///
  /// - Parameter group: Where the effects that it sets off are entered; nil if nobody waits for them.
  @inlinable @inline(__always)
  func step<Tracer: StepTracer>(
    _ action: Action,
    from sender: ActionSender? = nil,
    in group: EffectGroup? = nil,
    _ stamp: Tracer.Stamp,
    _ tracer: Tracer
  ) {
    var trace = tracer.begin(action, stamp, at: self)
    if pass(action, from: sender, in: group, &trace, tracer) {
      tracer.willNotify(&trace)
      notifyTree()
      tracer.didNotify(&trace)
    }
    tracer.finish(action, &trace, isLastOfStep: true, at: self)
  }

  /// Takes a batch through one step, if any of its actions is not dropped.
  @inlinable
  func step<Tracer: StepTracer>(batch actions: [Action], _ stamp: Tracer.Stamp, _ tracer: Tracer) {
    var traces: [Tracer.Trace] = []
    var isStep = false
    tree.isInBatch = true
    for action in actions {
      var trace = tracer.begin(action, stamp, at: self)
      if pass(action, from: nil, in: nil, &trace, tracer) { isStep = true }
      if Tracer.isTracing { traces.append(trace) }
    }
    tree.isInBatch = false
    let last = actions.count - 1
    if isStep {
      if Tracer.isTracing { tracer.willNotify(&traces[last]) }
      notifyTree()
      if Tracer.isTracing { tracer.didNotify(&traces[last]) }
    }
    for index in traces.indices { tracer.finish(actions[index], &traces[index], isLastOfStep: index == last, at: self) }
  }

  /// Makes a change for which its caller waits. If nobody looks at actions, none is made.
  @inlinable
  func step<Tracer: StepTracer>(
    _ change: StateWrite,
    _ mutation: (AwaitedCommit) -> Action,
    _ stamp: Tracer.Stamp,
    _ tracer: Tracer
  ) {
    guard writeInPlace != nil, intercept == nil, effects == nil, !Tracer.isTracing else {
      guard AwaitedCommit.with(change, { step(mutation($0), stamp, tracer) }) else { Misuse.droppingCommit.stop() }
      return
    }
    let isStep = reducing {
      let isMade = writeInPlace?(change) == true
      // Whatever its closure has applied by itself, it has taken place or not as a whole.
      tree.writeOutcome = .none
      return isMade
    }
    if isStep { notifyTree() }
  }

  /// Takes an action through the interceptors, the reducers and the effects.
  ///
  /// - Returns: Whether the action was reduced, and that was a step.
  @inlinable @inline(__always)
  func pass<Tracer: StepTracer>(
    _ action: Action,
    from sender: ActionSender?,
    in group: EffectGroup?,
    _ trace: inout Tracer.Trace,
    _ tracer: Tracer
  ) -> Bool {
    if sender?.isRevoked == true {
      tracer.didNotStep(&trace, by: .revoked)
      return false
    }
    guard intercept != nil else { return apply(action, in: group, &trace, tracer) }
    var action = action
    tree.enter(.interceptors)
    tree.runningActionCanFail = canFail?(action) == true
    defer { tree.runningActionCanFail = false }
    // Unlike a binding, chaining does not retain the closure.
    let isPassed = intercept?(&action) == true
    tracer.didIntercept(&trace)
    if sender?.isRevoked == true {
      if isPassed { discard?() }
      tracer.didNotStep(&trace, by: .revoked)
      return false
    }
    guard isPassed else {
      tracer.didNotStep(&trace, by: .dropped)
      return false
    }
    return apply(action, in: group, &trace, tracer)
  }

  /// Reduces an action, and performs what it sets off.
  ///
  /// - Returns: Whether that was a step.
  @inlinable @inline(__always)
  func apply<Tracer: StepTracer>(
    _ action: Action,
    in group: EffectGroup?,
    _ trace: inout Tracer.Trace,
    _ tracer: Tracer
  ) -> Bool {
    let isStep = reducing { reduce(action) }
    tracer.didReduce(&trace, at: self)
    guard isStep else {
      tracer.didNotStep(&trace, by: .failed)
      return false
    }
    guard effects != nil else { return true }
    tree.enter(.effects)
    tree.isPerformingEffects = true
    effects?(action, group)
    tree.isPerformingEffects = false
    return true
  }

  /// Runs reducers, in which no state of the tree may be read.
  ///
  /// - Returns: Whether that was a step: not if they have come to nothing but changes that did not take place.
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
