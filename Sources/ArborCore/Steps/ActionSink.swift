/// The functions with which the stores of a node, or of a scope, send actions.
///
/// - They are stored closures, not methods of subclasses, because overrides of generic classes are never specialized.
///   They receive the sink itself and capture nothing, so that no context is allocated or retained for them. Only
///   ``commit``, which few stores have, captures something.
/// - Designated initializers only assign: metadata refers to them, so a linker keeps everything they contain.
/// - The functions that send return `true` if the actions were accepted.
@usableFromInline
package class ActionSink<Action: Sendable>: @unchecked Sendable {
  // Sendable because its properties are constants of sendable types. Unchecked because it has subclasses.

  @usableFromInline package typealias Dispatch = @Sendable (_ sink: ActionSink, _ action: Action) -> Bool
  @usableFromInline typealias Submit = @Sendable (_ sink: ActionSink, _ submission: Submission<Action>) -> Bool

  /// Performs a change on the tree's queue and the calling thread, after everything accepted before.
  ///
  /// - `mutation` makes the action that represents the change. It is only called if interceptors, effects or monitors
  ///   see actions, or if a reducer must apply the change.
  @usableFromInline
  package typealias Commit = @Sendable (_ change: StateWrite, _ mutation: (AwaitedCommit) -> Action) -> Bool

  /// Makes the way of a child's actions to a given node, the node of the sink's store.
  @usableFromInline typealias MakeWay = @Sendable (_ sink: ActionSink, _ node: AnyObject) -> WayToParent<Action>

  @usableFromInline final let sendAction: Dispatch
  @usableFromInline final let sendSubmission: Submit

  /// Nil if a change must be sent as an action. A reducer then finds the mutation in the action and applies it.
  @usableFromInline final let commit: Commit?

  /// Nil if the store is closure-backed. Only called if there is a node.
  @usableFromInline final let makeWay: MakeWay?

  /// The sink's own host if the sink belongs to a node; the host of the enclosing sink if it belongs to a scope. See
  /// ``host``.
  @usableFromInline package final let enclosingHost: AttachmentHost

  /// - Parameter host: The host of the node, or the closest host around the scope.
  @inlinable
  init(
    at host: AttachmentHost,
    dispatch: @escaping Dispatch,
    submit: @escaping Submit,
    commit: Commit?,
    way makeWay: MakeWay?
  ) {
    enclosingHost = host
    sendAction = dispatch
    sendSubmission = submit
    self.commit = commit
    self.makeWay = makeWay
  }

  /// Casts a sink to this type without a check: its functions are called with the sink itself.
  @inlinable @inline(__always)
  static func of(_ sink: ActionSink) -> Self { unsafeDowncast(sink, to: Self.self) }

  /// The host of the tasks that are started here.
  @usableFromInline package var host: AttachmentHost { enclosingHost }

  /// The address of the node; nil if the store is closure-backed.
  @usableFromInline package var nodeAddress: NodeAddress? { nil }

  /// Sends one action for which no caller waits.
  @inlinable @inline(__always)
  package final func dispatch(_ action: Action) -> Bool { sendAction(self, action) }

  /// Sends any other submission.
  @inlinable @inline(__always)
  package final func submit(_ submission: Submission<Action>) -> Bool { sendSubmission(self, submission) }

  /// Returns the way of a child's actions to a given node, the node of this store.
  @inlinable @inline(__always)
  final func way(to node: AnyObject) -> WayToParent<Action> { makeWay.unsafelyUnwrapped(self, node) }

  /// Performs a change whose caller waits for it: with ``commit`` if there is one, otherwise as an action.
  ///
  /// - Returns: `true` if the change was accepted.
  @inlinable @inline(__always)
  package final func performCommit(_ change: StateWrite, _ mutation: (AwaitedCommit) -> Action) -> Bool {
    // Optional chaining, because a binding would retain the closure.
    commit?(change, mutation) ?? submitCommit(change, mutation)
  }

  /// Sends an action that contains a change. A reducer finds the change there and applies it.
  ///
  /// - Returns: `true` if the action was accepted.
  @usableFromInline
  final func submitCommit(_ change: StateWrite, _ mutation: (AwaitedCommit) -> Action) -> Bool {
    if enclosingHost.tree.isInside { enclosingHost.tree.stop(for: .committingInsideItsOwnTree) }
    var isAccepted = false
    let isApplied = AwaitedCommit.with(change) { isAccepted = submit(.blocking(mutation($0))) }
    guard isApplied || !isAccepted else { enclosingHost.tree.stop(for: .droppingCommit) }
    return isAccepted
  }
}

/// The sink of a closure-backed store: it sends everything by calling the store's closure.
final class ClosureSink<Action: Sendable>: ActionSink<Action>, @unchecked Sendable {  // Like its superclass.
  convenience init(calling dispatch: @escaping @Sendable (Action) -> Void) {
    self.init(
      at: AttachmentHost(on: Tree()),
      dispatch: { _, action in
        dispatch(action)
        return true
      },
      submit: { _, submission in
        switch submission {
        case .batch(let actions, let completion):
          for action in actions { dispatch(action) }
          completion?()
        case .revocableBatch(let actions, _):
          for action in actions { dispatch(action) }
        case .blockingBatch(let actions, let condition):
          guard condition?() != false else { break }
          for action in actions { dispatch(action) }
        case .revocable(let action, _), .blocking(let action): dispatch(action)
        case .awaited(let action, let step):
          dispatch(action)
          step.didRun?(true)
          step.completion()
        }
        return true
      },
      commit: { change, mutation in
        // The closure decides if the mutation is applied.
        _ = AwaitedCommit.with(change) { dispatch(mutation($0)) }
        return true
      },
      way: nil
    )
  }

  /// Closes the attachments, because there is no owner to do it. A task keeps this sink, so this never cancels a task.
  deinit { enclosingHost.attachments.close() }
}

/// The sink of a node.
@usableFromInline
package final class NodeSink<Action: Sendable>: ActionSink<Action>, @unchecked Sendable {
  // Sendable because it only adds a constant of a sendable type to its superclass.

  @usableFromInline let address: NodeAddress

  @usableFromInline package override var nodeAddress: NodeAddress? { address }

  /// Makes the sink of a node of the given type.
  @inlinable
  convenience init<State>(to _: StateNode<State, Action>.Type, at address: NodeAddress) {
    typealias Node = StateNode<State, Action>
    var dispatch: Dispatch = { sink, action in Node.send(action, to: NodeSink.of(sink).address) }
    if address.tree.tracer != nil {
      dispatch = { sink, action in Node.sendTraced(action, to: NodeSink.of(sink).address) }
    }
    self.init(
      at: address,
      dispatch: dispatch,
      submit: { sink, submission in
        Node.submit(submission, to: NodeSink.of(sink).address)
      },
      commit: { change, mutation in
        let stamp = address.tree.stamp(from: nil)
        return address.tree.runInTurn(at: address, orStopWith: .committingInsideItsOwnTree) { node in
          Node.of(node).step(change, mutation, stamp)
        }
      },
      way: { _, node in WayToParent(Node.of(node)) }
    )
  }

  @usableFromInline
  init(
    at address: NodeAddress,
    dispatch: @escaping Dispatch,
    submit: @escaping Submit,
    commit: @escaping Commit,
    way makeWay: @escaping MakeWay
  ) {
    self.address = address
    super.init(at: address.host, dispatch: dispatch, submit: submit, commit: commit, way: makeWay)
  }
}

/// The sink of a scope with its own type of actions, which are embedded in the actions of the enclosing store.
@usableFromInline
package class ScopeSink<Whole: Sendable, Action: Sendable>: ActionSink<Action>, @unchecked Sendable {
  // Sendable because it only adds constants of sendable types to its superclass, and a host that is set atomically.

  /// The sink of the enclosing store.
  @usableFromInline final let whole: ActionSink<Whole>
  @usableFromInline final let embed: @Sendable (Action) -> Whole

  /// The sources that report if the scope's value exists. Empty if the value always exists.
  @usableFromInline final let presences: [AttachmentHost.PresenceSource]
  @usableFromInline final let place: ScopePlace?
  @usableFromInline final let ownHost = AtomicLazyObject<AttachmentHost>()

  /// - Parameter place: The place of the scope. The scope shares its tasks with other scopes of that place. Nil if it
  ///   has its own tasks.
  @inlinable
  package init(
    in whole: ActionSink<Whole>,
    embed: @escaping @Sendable (Action) -> Whole,
    commit: Commit?,
    presences: [AttachmentHost.PresenceSource],
    place: ScopePlace?
  ) {
    self.whole = whole
    self.embed = embed
    self.presences = presences
    self.place = place
    super.init(
      at: whole.host,
      // Keeps stack frames as small as possible, because a thousand scopes may be nested.
      dispatch: { sink, action in
        let sink = ScopeSink.of(sink)
        return sink.whole.sendAction(sink.whole, sink.embed(action))
      },
      submit: { sink, submission in
        let sink = ScopeSink.of(sink)
        return sink.whole.sendSubmission(sink.whole, sink.embed(submission))
      },
      commit: commit,
      way: { sink, node in ScopeSink.of(sink).whole.way(to: node).embedded(by: ScopeSink.of(sink).embed) }
    )
  }

  @inlinable
  final func embed(_ submission: Submission<Action>) -> Submission<Whole> { submission.map(embed) }

  @usableFromInline package override final var nodeAddress: NodeAddress? { whole.nodeAddress }

  /// The scope's own host. It is made on first use, because most scopes have no tasks.
  @usableFromInline override package final var host: AttachmentHost {
    ownHost.load() ?? ownHost.storeIfNil(AttachmentHost(in: enclosingHost, presences: presences, place: place))
  }
}
