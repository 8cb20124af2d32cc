internal import Synchronization

/// The way of actions to a node: what the stores of one place in the tree send by. Each closure says whether it was accepted.
@usableFromInline
class ActionSink<Action: Sendable>: @unchecked Sendable {  // Nothing in it varies; see the subclass for the rest.
  /// Makes a change for which its caller waits. `mutation` makes the action of it, for those who look at actions.
  @usableFromInline typealias Commit = @Sendable (_ change: StateWrite, _ mutation: (AwaitedCommit) -> Action) -> Bool

  /// Sends one action, for which nobody waits.
  @usableFromInline final let dispatch: @Sendable (Action) -> Bool

  /// Sends anything else.
  @usableFromInline final let submit: @Sendable (Submission<Action>) -> Bool

  /// Makes a change where the state is; nil if it is made by whoever finds its mutation in an action.
  @usableFromInline final let commit: Commit?

  /// Makes what a child of this store needs of the node. Called with the node.
  @usableFromInline final let ancestors: @Sendable (AnyObject) -> Ancestors<Action>

  /// The place of the node, or of the closest scope around this one to which tasks may belong.
  fileprivate final let enclosingHost: AttachmentHost

  /// - Parameter place: The place of the node, or the one enclosingHost the scope.
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

  /// The place to which the tasks belong that are known here.
  @usableFromInline var host: AttachmentHost { enclosingHost }

  /// The way to a node, past a tracer that all its actions meet.
  @inlinable
  convenience init<State, Tracer: StepTracer>(
    to _: StateNode<State, Action>.Type,
    at address: NodeAddress,
    tracedBy _: Tracer.Type
  ) {
    typealias Node = StateNode<State, Action>
    // They capture the address alone, and so have no contexts of their own.
    self.init(
      at: address.host,
      dispatch: { action in Node.send(action, to: address, Tracer.self) },
      submit: { submission in Node.submit(submission, to: address, Tracer.self) },
      commit: { change, mutation in
        let tracer = Tracer.of(address.tree)
        let stamp = tracer.stamp()
        return address.tree.runInTurn(at: address, else: .committingInsideItsOwnTree) { node in
          unsafeDowncast(node, to: Node.self).step(change, mutation, stamp, tracer)
        }
      },
      ancestors: { node in Ancestors(of: unsafeDowncast(node, to: Node.self)) }
    )
  }

  /// The way into a store that was made by hand: everything calls its closure.
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
        // What becomes of a mutation is for the closure to say.
        _ = AwaitedCommit.with(change) { dispatch(mutation($0)) }
        return true
      },
      ancestors: { _ in Ancestors(ending: call) }
    )
  }

  /// Makes a change for which its caller waits, where the state is or by way of an action.
  @inlinable @inline(__always)
  final func performCommit(_ change: StateWrite, _ mutation: (AwaitedCommit) -> Action) -> Bool {
    // Unlike a binding, chaining does not retain the closure.
    commit?(change, mutation) ?? submit(change, mutation)
  }

  /// Sends an action with a change in it, which is made by whoever finds it there.
  @usableFromInline
  final func submit(_ change: StateWrite, _ mutation: (AwaitedCommit) -> Action) -> Bool {
    if enclosingHost.tree.isInside { Misuse.committingInsideItsOwnTree.stop() }
    var isAccepted = false
    let isApplied = AwaitedCommit.with(change) { isAccepted = submit(.waiting(mutation($0))) }
    guard isApplied || !isAccepted else { Misuse.droppingCommit.stop() }
    return isAccepted
  }
}

/// The way of a scope's own actions.
@usableFromInline
final class ScopeSink<Action: Sendable>: ActionSink<Action>, @unchecked Sendable {  // The place is set atomically.
  /// Watches that report whether the scope's value exists.
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

  /// Made on first use: most scopes have no tasks.
  @usableFromInline override var host: AttachmentHost {
    ownHost.load() ?? ownHost.storeIfNil(AttachmentHost(in: enclosingHost, presences: presences))
  }
}
