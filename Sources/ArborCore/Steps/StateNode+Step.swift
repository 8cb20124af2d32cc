// The life of an action, from `store.dispatch` to an observer, with the file of each stage:
//
// 1. StoreProtocol: `dispatch` calls the ActionSink of its store. The sink of a scope with its own actions embeds the
//    action first; any other scope has the sink of its store.
// 2. StateNode+Send: `send` adds the node's handler, and `sendTraced` a stamp for monitors. Tree `append` takes both
//    under the lock of its Mailbox; EntryQueue stores their bytes. Everything else that is sent is a Submission, sent
//    with `submit`: a batch, an action of a task, or one that a task awaits waits as a closure in the same mailbox.
//    `dispatchAndWait` and `commit` of a thread aren't entries: Tree+Wait `runInTurn` runs the entries before them and
//    then their step, on the calling thread.
// 3. TreeExecutor: `wake` schedules one drain on the tree's queue. Tree+Drain `runNext` runs the entries in order, each
//    with its Handler; a closed gate (EntryGate) may hold some of them.
// 4. this file: `run` visits the store's station and each one above it, once for each stage. It usually goes directly
//    (`reduceDirectly`, `performDirectly`). It uses `runInStages` if a station has interceptors or writes to undo, or
//    effects that take another type of actions (`StepNeeds.stages`). It also does so if functions were added to any
//    store of the tree after it was made, or if the action was held. Each stage calls the functions that StoreFactory
//    or StoreProtocol+Child made with the node. In a tree with a listener, the listener may have wrapped them
//    (NewStore).
//    - interceptors: Station `judgeHere` > FeatureFunctions `station` > Interceptor `makeJudge`
//    - reducers: Station `reduceDirectly` or `visit` > `reduce` > StateBox
//    - effects: Station `performDirectly` or `visit` > FeatureFunctions `perform`. Module Arbor: EffectPerformer >
//      ActionSink+Effects
// 5. StateNode: `notifyTree` goes from the root down: StoreFactory `notifyAll` > `notify`, which calls the node's
//    observers (Audience > ObserverSubscription > Observer) and then its children. A child is an observer of its
//    parent: StoreProtocol+Child `parentObserver` composes the child's state for its `receive`.
//
// Early observers add two rounds to stage 5. They get the state before any other observer. When all have been called,
// the tree calls its attachments. Derived values of the module Arbor use both: each has an early observer
// (DerivedCore), and DerivedUpdates, an attachment, calls the observers of the values that changed.
//
// At the end, a waiting thread returns, and Tree+Drain `complete` resumes a waiting task. Held actions: SavedStep.
// Tasks: TaskScope in the module Arbor.

/// The step of an action: interceptors, reducers, effects, observers.
///
/// - A listener that traces actions (``Tree/tracer``) is called after each stage. Without one, the stamp is nil.
extension StateNode {
  /// Runs an action as a step, unless its sender revokes it before the interceptors or during them.
  ///
  /// - Parameters:
  ///   - tracker: Tracks the effects of the action; nil if no caller waits for them.
  ///   - saved: The saved step of an action that an interceptor held and that continues now; nil for any other action.
  /// - Returns: `true` if the action was reduced, and that was a step.
  @inlinable @inline(__always)
  @discardableResult
  func step(
    _ action: Action,
    from sender: ActionSender? = nil,
    trackedBy tracker: EffectTracker? = nil,
    resuming saved: SavedStep? = nil,
    _ stamp: ActionStamp?
  ) -> Bool {
    if let stamp { begin(action, stamp) }
    let isStep = run(action, from: sender, trackedBy: tracker, resuming: saved)
    if isStep {
      notifyTree()
      if stamp != nil { trace(.observed) }
    }
    if stamp != nil { end(action, isLastOfStep: true) }
    return isStep
  }

  /// Runs a batch as one step, if at least one of its actions is reduced.
  @inlinable
  func step(batch actions: [Action], from sender: ActionSender? = nil, _ stamp: ActionStamp?) {
    var isStep = false
    // A batch of one action needs no deferral, because its state is already final.
    if actions.count > 1 { tree.step.afterBatch = [] }
    for action in actions {
      if let stamp { begin(action, stamp) }
      if run(action, from: sender, trackedBy: nil) { isStep = true }
    }
    tree.endBatch()
    if isStep {
      if stamp != nil { trace(.observing) }
      notifyTree()
      if stamp != nil { trace(.observed) }
    }
    guard stamp != nil else { return }
    for (index, action) in actions.enumerated() { end(action, isLastOfStep: index == actions.count - 1) }
  }

  /// Runs a commit as a step while its caller waits. Its action is only made if interceptors, effects or a listener see
  /// it.
  @inlinable
  func step(_ change: StateWrite, _ mutation: (AwaitedCommit) -> Action, _ stamp: ActionStamp?) {
    guard commitsInPlace, needs.isDisjoint(with: .judgment.union(.effects)), !tree.hasAddedFunctions, stamp == nil
    else {
      guard AwaitedCommit.with(change, { step(mutation($0), stamp) }) else { tree.stop(for: .droppingCommit) }
      return
    }
    let isStep = reducing {
      let isMade = box.write(with: change)
      // The commit as a whole decides, regardless of the mutations that its closure applied.
      tree.step.writes = .none
      return tree.decide(isMade)
    }
    if isStep { notifyTree() }
  }

  /// Runs an action through all stages except the observers: interceptors, reducers, effects.
  ///
  /// - Parameter saved: The saved step of an action that an interceptor held and that continues now; nil for any other
  ///   action.
  /// - Returns: `true` if the action was reduced, and that was a step.
  @inlinable @inline(__always)
  func run(
    _ action: Action,
    from sender: ActionSender?,
    trackedBy tracker: EffectTracker?,
    resuming saved: SavedStep? = nil
  ) -> Bool {
    if sender?.isRevoked == true { return isNoStep(.revoked) }
    if isTraced, tree.dropsActions { return isNoStep(.dropped) }
    tree.step.formNumber &+= 1
    // Read once: a node that is freed on another queue may remove the last added function.
    let hasAddedFunctions = tree.hasAddedFunctions
    guard needs.isDisjoint(with: .stages), !hasAddedFunctions, saved == nil else {
      return runInStages(
        action, from: sender, trackedBy: tracker, resuming: saved, hasAddedFunctions: hasAddedFunctions)
    }
    defer { tree.letGoOfKeptParts() }
    let isStep = reducing { tree.decide(reduceDirectly(action)) }
    if isTraced { trace(.reduced) }
    guard isStep else { return isNoStep(.failed) }
    if needs.contains(.effects) { performing { performDirectly(action, trackedBy: tracker) } }
    return true
  }

  /// Runs an action that has its own form at each station.
  ///
  /// - Parameter hasAddedFunctions: `true` if interceptors or effects were added to any station of the tree.
  @inlinable @inline(never)
  func runInStages(
    _ action: Action,
    from sender: ActionSender?,
    trackedBy tracker: EffectTracker?,
    resuming saved: SavedStep?,
    hasAddedFunctions: Bool
  ) -> Bool {
    defer {
      _ = visitAll(.end)
      tree.letGoOfKeptParts()
    }
    var position = StepPosition(at: .passUnretained(self))
    if let saved { position = saved.restore(on: tree) } else { self.action = action }
    tree.step.revocableSender = sender
    tree.enter(.interceptors)
    // A held action continues at the position's station, which may be another one.
    var judgment = saved == nil ? judgeHere(from: &position) : .passed
    if case .passed = judgment, position.station != nil { judgment = judgeAll(from: &position) }
    let isRevoked = sender != nil && tree.step.revocableSender?.isRevoked == true
    tree.step.revocableSender = nil
    if hasAddedFunctions || needs.contains(.judgment) || saved != nil { trace(.intercepted) }
    guard !isRevoked else {
      if case .saved(let receiver) = judgment { Tree.releaseLater(receiver) }
      return isNoStep(.revoked)
    }
    switch judgment {
    case .passed: break
    case .dropped: return isNoStep(.dropped)
    case .saved(let receiver):
      hold(at: position, from: sender, receiver)
      return isNoStep(.saved)
    }
    let restorations = needs.contains(.failing) ? restorations() : []
    tree.step.hasAwaitedChange = false
    let isStep = reducing {
      let isStep = tree.decide(visitAll(.reducers))
      if !isStep { undo(restorations) }
      return isStep
    }
    if isTraced { trace(.reduced) }
    guard isStep else { return isNoStep(.failed) }
    if needs.contains(.effects) { performing { _ = visitAll(.effects(tracker)) } }
    if hasAddedFunctions { performing { performAllAddedEffects(trackedBy: tracker) } }
    return true
  }

  /// Performs effects. If a child composes a state meanwhile, it is kept for the observers.
  @inlinable @inline(__always)
  func performing(_ perform: () -> Void) {
    tree.enter(.effects)
    tree.step.isPerformingEffects = true
    perform()
    tree.step.isPerformingEffects = false
    if isTraced { trace(.performed) }
  }

  /// Runs reducers. Reading a state of the tree meanwhile stops the program.
  @inlinable @inline(__always)
  func reducing(_ reduce: () -> Bool) -> Bool {
    tree.enter(.reducers)
    tree.step.isReducing = true
    let isStep = reduce()
    tree.step.isReducing = false
    return isStep
  }

  // MARK: The listener

  @inlinable @inline(never)
  func begin(_ action: Action, _ stamp: ActionStamp) {
    withUnsafePointer(to: action) { traceBegin($0, stamp) }
  }

  @inlinable @inline(never)
  func end(_ action: Action, isLastOfStep: Bool) {
    withUnsafePointer(to: action) { traceEnd($0, isLastOfStep: isLastOfStep) }
  }

  /// Records why the running action isn't a step. Returns `false`.
  @inlinable @inline(__always)
  func isNoStep(_ reason: NoStepReason) -> Bool {
    if isTraced { trace(.noStep(reason)) }
    return false
  }
}

extension StateNode {
  /// Saves the running action, which an interceptor holds, and passes the interceptor its token.
  @usableFromInline
  func hold(at position: StepPosition, from sender: ActionSender?, _ receiver: SavedStepReceiver) {
    Tree.releaseLater(receiver)
    guard let action else { return }
    // Made now, because the cause of a later step, the held action or its sender, is known here.
    let stamp = tree.stamp(from: sender)
    // `action` is only for the listener: the stations have it from the saved step.
    let saved = SavedStep(at: self, position) { node, saved in
      StateNode.of(node).step(action, from: sender, resuming: saved, stamp)
    }
    savedSteps.add(saved)
    let decide: @Sendable (SavedStepDecision.Decision) -> Void = {
      [address = nodeAddress, number = saved.number] decision in
      switch decision {
      case .goOn(let replacement):
        _ = StateNode.append([action], from: sender, to: address) { node in
          node.savedSteps.resume(number, at: node, replacing: replacement)
        }
      case .drop:
        _ = address.tree.append(at: address) { StateNode.of($0).savedSteps.drop(number) }
      }
    }
    receiver.receive(SavedStepDecision(of: Action.self, at: nodeAddress, decide: decide))
  }
}
