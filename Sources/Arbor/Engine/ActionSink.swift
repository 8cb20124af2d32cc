internal import Synchronization

/// The way of actions to a node: what the stores of one place in the tree send by. Each closure says whether it was accepted.
@usableFromInline
final class ActionSink<Action: Sendable>: Sendable {
  /// Makes a change for which its caller waits. `mutation` makes the action of it, for those who look at actions.
  @usableFromInline typealias Commit = @Sendable (_ change: Change, _ mutation: (WaitedCommit) -> Action) -> Bool

  /// Sends one action, for which nobody waits.
  @usableFromInline let dispatch: @Sendable (Action) -> Bool

  /// Sends anything else.
  @usableFromInline let submit: @Sendable (Submission<Action>) -> Bool

  /// Makes a change where the state is; nil if it is made by whoever finds its mutation in an action.
  @usableFromInline let commit: Commit?

  /// Makes what a child of this store needs of the node. Called with the node.
  @usableFromInline let upstream: @Sendable (AnyObject) -> Upstream<Action>

  /// The place of the node, or of the closest scope around this one to which tasks may belong.
  private let around: Place

  /// Watches that report whether the scope's value exists; nil if this is a node's.
  private let watches: [Place.PresenceWatch]?
  private let made = AtomicLazyReference<Place>()

  /// - Parameters:
  ///   - place: The place of the node, or the one around the scope.
  ///   - watches: Those of the scope; nil if this is a node's.
  @usableFromInline
  init(
    at place: Place,
    watches: [Place.PresenceWatch]? = nil,
    dispatch: @escaping @Sendable (Action) -> Bool,
    submit: @escaping @Sendable (Submission<Action>) -> Bool,
    commit: Commit?,
    upstream: @escaping @Sendable (AnyObject) -> Upstream<Action>
  ) {
    around = place
    self.watches = watches
    self.dispatch = dispatch
    self.submit = submit
    self.commit = commit
    self.upstream = upstream
  }

  /// The place to which the tasks belong that are known here. That of a scope is made on first use: most have no tasks.
  @usableFromInline var place: Place {
    guard let watches else { return around }
    return made.load() ?? made.storeIfNil(Place(in: around, watches: watches))
  }

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
      at: address.place,
      dispatch: { action in Node.send(action, to: address, Tracer.self) },
      submit: { submission in Node.submit(submission, to: address, Tracer.self) },
      commit: { change, mutation in
        let tracer = Tracer.of(address.mailbox)
        let stamp = tracer.stamp()
        return address.mailbox.runInTurn(at: address, else: .committingInsideItsOwnTree) { node in
          unsafeDowncast(node, to: Node.self).step(change, mutation, stamp, tracer)
        }
      },
      upstream: { node in Upstream(of: unsafeDowncast(node, to: Node.self)) }
    )
  }

  /// The way into a store that was made by hand: everything calls its closure.
  convenience init(calling dispatch: @escaping @Sendable (Action) -> Void) {
    let call: @Sendable (Action) -> Bool = { action in
      dispatch(action)
      return true
    }
    self.init(
      at: Place(on: Mailbox()),
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
        _ = WaitedCommit.with(change) { dispatch(mutation($0)) }
        return true
      },
      upstream: { _ in Upstream(ending: call) }
    )
  }

  /// Makes a change for which its caller waits, where the state is or by way of an action.
  @inlinable @inline(__always)
  func makeChange(_ change: Change, _ mutation: (WaitedCommit) -> Action) -> Bool {
    // Unlike a binding, chaining does not retain the closure.
    commit?(change, mutation) ?? submit(change, mutation)
  }

  /// Sends an action with a change in it, which is made by whoever finds it there.
  @usableFromInline
  func submit(_ change: Change, _ mutation: (WaitedCommit) -> Action) -> Bool {
    if around.mailbox.isInside { Misuse.committingInsideItsOwnTree.stop() }
    var isAccepted = false
    let isApplied = WaitedCommit.with(change) { isAccepted = submit(.waiting(mutation($0))) }
    guard isApplied || !isAccepted else { Misuse.droppingCommit.stop() }
    return isAccepted
  }
}
