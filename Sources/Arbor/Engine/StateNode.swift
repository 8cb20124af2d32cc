/// A node with its types, and the way of an action through it: interceptors, reducers, observers.
///
/// What depends on `State` and `Action` is a closure, or a final method called from one, made where both types are
/// known: so the compiler writes it for those types alone.
@usableFromInline
final class StateNode<State: Sendable, Action: Sendable>: Node, @unchecked Sendable {  // As its superclass.
  /// The state that this node's observers see; nil while it hangs below an optional scope that has none.
  @usableFromInline let read: @Sendable () -> State?

  /// This node's reducer, then each ancestor's; says whether that is a step.
  @usableFromInline let reduce: @Sendable (Action) -> Bool

  /// Lets a change be made where the state is; nil if changes are not all that the reducers do.
  @usableFromInline let lend: (@Sendable (Change) -> Bool)?

  /// This node's interceptors, then each ancestor's; nil if there are none on the whole way.
  @usableFromInline let interception: Interception<Action>?

  /// The same for what is dispatched here.
  @usableFromInline let intercept: Interception<Action>.Pass?

  /// Says whether an action may turn out to be no step; nil if none does.
  @usableFromInline let canFail: (@Sendable (Action) -> Bool)?

  /// Lets go of an action that has passed the interceptors and is not reduced after all; nil if none waits above.
  @usableFromInline let discard: (@Sendable () -> Void)?

  /// Performs what an action sets off here, then at each ancestor; nil if nothing is declared on the whole way.
  @usableFromInline let effects: (@Sendable (Action) -> Void)?

  /// Called with the key of an effect's task, the action that set it off, and the error that it threw.
  @usableFromInline let report: @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void

  /// Calls the observers of the whole tree, whose root it is called with; nil if there is no tree.
  @usableFromInline let announce: (@Sendable (_ root: Node) -> Void)?

  /// The state that was composed for derived values, until the observers of the same step were called.
  @usableFromInline
  @exclusivity(unchecked)
  var composed: State?

  /// The way in. Stores and interceptors use it; the node holds it and it holds the node, until the owner lets go.
  @usableFromInline let port: Port
  @usableFromInline let dispatch: @Sendable (Action) -> Void
  @usableFromInline private(set) var handlers: [Handler] = []

  @inlinable
  init(
    port: Port,
    parent: Node?,
    read: @escaping @Sendable () -> State?,
    reduce: @escaping @Sendable (Action) -> Bool,
    lend: (@Sendable (Change) -> Bool)? = nil,
    canFail: (@Sendable (Action) -> Bool)? = nil,
    interception: Interception<Action>? = nil,
    discard: (@Sendable () -> Void)? = nil,
    effects: (@Sendable (Action) -> Void)? = nil,
    report: @escaping @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void = { _, _, _ in },
    announce: (@Sendable (_ root: Node) -> Void)? = nil
  ) {
    self.port = port
    self.read = read
    self.reduce = reduce
    self.lend = lend
    self.canFail = canFail
    self.discard = discard
    self.effects = effects
    self.report = report
    self.interception = interception
    self.announce = announce
    let monitoring = port.mailbox.monitoring
    let dispatch: @Sendable (Action) -> Void
    if let monitoring {
      dispatch = { action in _ = port.send(action, monitoring) }
    } else {
      dispatch = { action in _ = port.send(action) }
    }
    self.dispatch = dispatch
    intercept = interception?.forActions(dispatch)
    super.init(port: port, parent: parent)
    // The handlers do not hold the node, nor count its references: it leaves behind everything accepted for it.
    let node = Unmanaged.passUnretained(self)
    handlers = monitoring.map { StateNode.handlers(of: node, $0) } ?? StateNode.handlers(of: node)
  }

  /// Lets in what is sent to this node. Once, when all that it does is declared; nobody else knows it before.
  @usableFromInline
  func open() {
    port.door.open(to: self, actions: handlers[0], batches: handlers[1], sentActions: handlers[2])
  }

  /// What runs the actions, the batches and the actions of tasks that are sent here.
  @inlinable
  static func handlers(of node: Unmanaged<StateNode>) -> [Handler] {
    [
      Handler { (action: Action) in
        node._withUnsafeGuaranteedRef { $0.step(action) }
      } look: { action in
        look(at: [action], for: node)
      },
      Handler { (actions: [Action]) in
        node._withUnsafeGuaranteedRef { $0.step(batch: actions) }
      } look: { actions in
        look(at: actions, for: node)
      },
      Handler.canRun(SentAction<Action>.self)
        ? Handler { (sent: SentAction<Action>) in
          node._withUnsafeGuaranteedRef { $0.step(sent) }
        } look: { sent in
          look(at: sent, for: node)
        }
        : Handler { (sent: [SentAction<Action>]) in
          node._withUnsafeGuaranteedRef { $0.step(sent[0]) }
        } look: { sent in
          look(at: sent[0], for: node)
        },
    ]
  }

  /// What waits, for those who look at it.
  @inlinable
  static func look(at actions: [Action], for node: Unmanaged<StateNode>) -> WaitingEntry {
    node._withUnsafeGuaranteedRef { WaitingEntry(.actions, actions, of: $0) }
  }

  @inlinable
  static func look(at sent: SentAction<Action>, for node: Unmanaged<StateNode>) -> WaitingEntry {
    look(at: sent.sender.isRevoked ? [] : [sent.action], for: node)
  }

  // MARK: The way of an action

  /// What happens to an action when its turn comes.
  @inlinable
  func step(_ action: Action) {
    if pass(action) { announceStep() }
  }

  /// What happens to a batch: one step for all, if any is not dropped.
  @inlinable
  func step(batch actions: [Action]) {
    var isStep = false
    mailbox.isInBatch = true
    for action in actions where pass(action) { isStep = true }
    mailbox.isInBatch = false
    if isStep { announceStep() }
  }

  /// What happens to an action of a task: as above, unless the task has revoked it, if only in an interceptor.
  @inlinable
  func step(_ sent: SentAction<Action>) {
    var action = sent.action
    mailbox.begin(.interceptors)
    mailbox.mayFail = canFail?(action) == true
    defer { mailbox.mayFail = false }
    guard !sent.sender.isRevoked, intercept?(&action) != false else { return }
    guard !sent.sender.isRevoked else {
      discard?()
      return
    }
    if apply(action) { announceStep() }
  }

  /// What happens to a change for which its caller waits. If nobody looks at actions, none is made.
  @inlinable
  func step(_ change: Change, _ mutation: (WaitedCommit) -> Action) {
    guard lend != nil, intercept == nil, effects == nil else {
      guard WaitedCommit.with(change, { step(mutation($0)) }) else { Misuse.droppingCommit.stop() }
      return
    }
    mailbox.begin(.reducers)
    mailbox.isReducing = true
    let isStep = lend?(change) == true
    mailbox.isReducing = false
    // Whatever its closure has applied by itself, it has taken place or not as a whole.
    mailbox.changeOutcome = .none
    guard isStep else { return }
    mailbox.revision &+= 1
    announceStep()
  }

  /// - Returns: Whether the action was reduced, and that was a step.
  @inlinable
  func pass(_ action: Action) -> Bool {
    guard intercept != nil else { return apply(action) }
    var action = action
    mailbox.begin(.interceptors)
    mailbox.mayFail = canFail?(action) == true
    defer { mailbox.mayFail = false }
    // Unlike a binding, chaining does not retain the closure.
    guard intercept?(&action) == true else { return false }
    return apply(action)
  }

  @inlinable @inline(__always)
  func apply(_ action: Action) -> Bool {
    mailbox.begin(.reducers)
    mailbox.isReducing = true
    let isStep = reduce(action)
    mailbox.isReducing = false
    guard !mailbox.takeFailedChange(), isStep else { return false }
    mailbox.revision &+= 1
    setOff(action)
    return true
  }

  /// Performs what an action sets off that was reduced.
  @inlinable @inline(__always)
  func setOff(_ action: Action) {
    guard effects != nil else { return }
    mailbox.begin(.effects)
    mailbox.isSettingOff = true
    // Unlike a binding, chaining does not retain the closure.
    effects?(action)
    mailbox.isSettingOff = false
  }

  /// Calls the observers of the whole tree. Unlike bindings, chaining and this retain nothing.
  @inlinable @inline(__always)
  func announceStep() {
    root._withUnsafeGuaranteedRef { root in announce?(root) }
  }

  /// Calls each observer of the tree, of which this node is the root, if any listens and the tree still has an owner.
  @inlinable
  func announce(fromRoot state: borrowing Held<State>) {
    guard listeners > 0, port.door.isOpen else {
      if !mailbox.composing.isEmpty { forgetAllComposed() }
      return
    }
    // Unless a derived value that was made by a declaration of effects has asked for it.
    if followersBelow > 0, mailbox.followedRevision != mailbox.revision { follow(fromRoot: state.value) }
    mailbox.begin(.observers)
    notify(state.value)
    if !mailbox.composing.isEmpty { forgetAllComposed() }
    mailbox.derivations.settle(in: mailbox)
  }

  @usableFromInline
  override func catchUp() {
    guard followersBelow > 0, mailbox.followedRevision != mailbox.revision, !mailbox.isInBatch else { return }
    guard !mailbox.isFollowing, port.door.isOpen, let state = read() else { return }
    follow(fromRoot: state)
    // Only in a step do observers follow, who want what was composed.
    if !mailbox.isSettingOff, !mailbox.composing.isEmpty { forgetAllComposed() }
  }

  override func forgetComposed() {
    composed = nil
  }

  /// Calls this node's observers, then those of each child with its own composition of the state.
  ///
  /// - A callback may release owners meanwhile, and so may other threads. Who is not to be called any more is found out
  ///   where the observers are: a child never outlives its parent's owner.
  @inlinable @inline(__always)
  func notify(_ state: State) {
    var next = observers.first
    while let current = next, port.door.isOpen { next = call(current, with: state) }
    next = children.first
    while let current = next { next = call(current, with: state) }
  }

  /// Calls a subscription and returns the one behind it.
  @inlinable @inline(__always)
  func call(_ subscription: Unmanaged<Subscription>, with state: State) -> Unmanaged<Subscription>? {
    subscription._withUnsafeGuaranteedRef { subscription in
      guard !subscription.isEnded, !subscription.isPaused else { return subscription.next }
      let status = unsafeDowncast(subscription, to: StateSubscription<State>.self).call(state)
      let next = subscription.next
      if status == .dead { takeOut(subscription) }
      return next
    }
  }

  /// Takes out an observer's subscription that ended in its own call, and lets the observer go.
  @usableFromInline @inline(never)
  func takeOut(_ subscription: Subscription) {
    let isEnded = mailbox.end(subscription, at: port.door)
    unlink(subscription)?.release()
    if isEnded, let monitored { mailbox.monitoring?.tell(.observerGone(in: monitored)) }
  }
}

extension StateNode where Action == Never {
  /// The reducer of a node that no action reaches.
  @Sendable static func reduceNever(_ action: Never) -> Bool {}
}
