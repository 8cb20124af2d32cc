internal import Synchronization

/// The closures by which the stores of a node, or of a scope, send actions.
///
/// - `dispatch`, `submit` and `commit` return `true` if what was sent was accepted.
@usableFromInline
class ActionSink<Action: Sendable>: @unchecked Sendable {  // Nothing in it varies; see the subclass for the rest.
  /// Performs a change for which its caller waits.
  ///
  /// - `mutation` makes the action that stands for the change. It is called only if interceptors, effects or monitors
  ///   see actions, or if a reducer must apply the change.
  @usableFromInline typealias Commit = @Sendable (_ change: StateWrite, _ mutation: (AwaitedCommit) -> Action) -> Bool

  /// Sends one action for which no caller waits.
  @usableFromInline final let dispatch: @Sendable (Action) -> Bool

  /// Sends any other submission.
  @usableFromInline final let submit: @Sendable (Submission<Action>) -> Bool

  /// Performs a change on the tree's queue and the calling thread, after everything accepted before.
  ///
  /// - Nil if a change must be sent as an action, in which a reducer finds the mutation and applies it.
  @usableFromInline final let commit: Commit?

  /// Makes the ancestors of a child of this store. Called with the store's node.
  @usableFromInline final let ancestors: @Sendable (AnyObject) -> Ancestors<Action>

  /// The host of the node, or of the closest scope around this one that can have tasks.
  fileprivate final let enclosingHost: AttachmentHost

  /// - Parameter host: The host of the node, or the closest host around the scope.
  @usableFromInline
  init(
    at host: AttachmentHost,
    dispatch: @escaping @Sendable (Action) -> Bool,
    submit: @escaping @Sendable (Submission<Action>) -> Bool,
    commit: Commit?,
    ancestors: @escaping @Sendable (AnyObject) -> Ancestors<Action>
  ) {
    enclosingHost = host
    self.dispatch = dispatch
    self.submit = submit
    self.commit = commit
    self.ancestors = ancestors
  }

  /// The host of the tasks that are started here.
  @usableFromInline var host: AttachmentHost { enclosingHost }

  /// Makes the sink of a node whose actions are all traced by a tracer.
  @inlinable
  convenience init<State, Tracer: StepTracer>(
    to _: StateNode<State, Action>.Type,
    at address: NodeAddress,
    tracedBy _: Tracer.Type
  ) {
    typealias Node = StateNode<State, Action>
    // The closures capture nothing but the address, so no context is allocated for them.
    self.init(
      at: address.host,
      dispatch: { action in Node.send(action, to: address, Tracer.self) },
      submit: { submission in Node.submit(submission, to: address, Tracer.self) },
      commit: { change, mutation in
        let tracer = Tracer.of(address.tree)
        let stamp = tracer.stamp()
        return address.tree.runInTurn(at: address, orStopWith: .committingInsideItsOwnTree) { node in
          unsafeDowncast(node, to: Node.self).step(change, mutation, stamp, tracer)
        }
      },
      ancestors: { node in Ancestors(of: unsafeDowncast(node, to: Node.self)) }
    )
  }

  /// Makes the sink of a closure-backed store: everything that is sent calls the store's closure.
  convenience init(calling dispatch: @escaping @Sendable (Action) -> Void) {
    let call: @Sendable (Action) -> Bool = { action in
      dispatch(action)
      return true
    }
    self.init(
      at: AttachmentHost(on: Tree()),
      dispatch: call,
      submit: { submission in
        switch submission {
        case .batch(let actions): for action in actions { dispatch(action) }
        case .revocable(let action, _), .waiting(let action): dispatch(action)
        case .awaited(let action, _, let completion):
          dispatch(action)
          completion()
        }
        return true
      },
      commit: { change, mutation in
        // The closure decides what becomes of the mutation: it need not apply the mutation.
        _ = AwaitedCommit.with(change) { dispatch(mutation($0)) }
        return true
      },
      ancestors: { _ in Ancestors(ending: call) }
    )
  }

  /// Performs a change for which its caller waits: by ``commit`` if there is one, otherwise as an action.
  ///
  /// - Returns: `true` if the change was accepted.
  @inlinable @inline(__always)
  final func performCommit(_ change: StateWrite, _ mutation: (AwaitedCommit) -> Action) -> Bool {
    // Optional chaining does not retain the closure; a binding would.
    commit?(change, mutation) ?? submit(change, mutation)
  }

  /// Sends an action that contains a change, which a reducer finds there and applies.
  ///
  /// - Returns: `true` if the action was accepted.
  @usableFromInline
  final func submit(_ change: StateWrite, _ mutation: (AwaitedCommit) -> Action) -> Bool {
    if enclosingHost.tree.isInside { Misuse.committingInsideItsOwnTree.stop() }
    var isAccepted = false
    let isApplied = AwaitedCommit.with(change) { isAccepted = submit(.waiting(mutation($0))) }
    guard isApplied || !isAccepted else { Misuse.droppingCommit.stop() }
    return isAccepted
  }
}

/// The sink of a scope with its own type of actions.
@usableFromInline
final class ScopeSink<Action: Sendable>: ActionSink<Action>, @unchecked Sendable {  // The host is set atomically.
  /// The sources that report whether the scope's value exists. Empty if the value always exists.
  private let presences: [AttachmentHost.PresenceSource]
  private let ownHost = AtomicLazyReference<AttachmentHost>()

  @usableFromInline
  init(
    in host: AttachmentHost,
    presences: [AttachmentHost.PresenceSource],
    dispatch: @escaping @Sendable (Action) -> Bool,
    submit: @escaping @Sendable (Submission<Action>) -> Bool,
    commit: Commit?,
    ancestors: @escaping @Sendable (AnyObject) -> Ancestors<Action>
  ) {
    self.presences = presences
    super.init(at: host, dispatch: dispatch, submit: submit, commit: commit, ancestors: ancestors)
  }

  /// The scope's own host. Made on first use: most scopes have no tasks.
  @usableFromInline override var host: AttachmentHost {
    ownHost.load() ?? ownHost.storeIfNil(AttachmentHost(in: enclosingHost, presences: presences))
  }
}
