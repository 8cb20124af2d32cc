extension Store {
  /// The store of a node as a whole. Holds the way to the node, which may be made later, and not the node.
  @inlinable
  init<Tracer: StepTracer>(at address: NodeAddress, tracedBy tracer: Tracer, watches: [Place.PresenceWatch] = []) {
    self.init(
      address: address,
      sink: ActionSink(to: StateNode<State, Action>.self, at: address, tracedBy: tracer),
      read: { node in unsafeDowncast(node!, to: StateNode<State, Action>.self).read() },
      connect: { observer, role in
        switch role {
        case .observer(let scope):
          return address.subscribe(observer, scope: scope) { node in
            unsafeDowncast(node, to: StateNode<State, Action>.self).read()
          }
        case .follower:
          let subscription = StateSubscription(observer, scope: observer.identity, address: address)
          subscription.isFollower = true
          let isOpen = address.wait { node in
            // Derived values of a child that was made in the running callback are to be found in its step.
            address.mailbox.makeJoins()
            unsafeDowncast(node, to: Node.self).link(subscription)
          }
          return isOpen ? Connection(subscription, address: address) : nil
        case .child(let child):
          let membership = StateSubscription(observer, scope: observer.identity, address: address)
          address.mailbox.join(child, by: membership, at: address)
          return Connection()
        }
      },
      watches: watches
    )
  }

  /// The mailbox of the tree; nil if the store was made by hand.
  package var mailbox: Mailbox? { address?.mailbox }

  /// The identity of the store's node for monitors; nil if there are none.
  package var monitored: MonitoredStore? { address?.monitored }

  /// Sends an action, and calls a closure after its step; not at all if the owner is gone.
  ///
  /// - Returns: Whether it was accepted.
  package func dispatch(_ action: Action, then completion: @escaping @Sendable () -> Void) -> Bool {
    sink.submit(.awaited(action, effects: nil, completion: completion))
  }

  /// How many threads run the tree's work or wait to.
  package var attendants: Int { address?.mailbox.attendants ?? 0 }

  /// How many chunks of memory the tree's mailbox holds.
  package var chunkCount: Int { address?.mailbox.chunkCount ?? 0 }

  /// Delivers at once what waits for the main actor, if this is on it.
  @usableFromInline
  func hurryMain() {
    address?.mailbox.main.hurry()
  }

  /// A task is about to suspend until an action of it was reduced.
  @usableFromInline
  func taskWaits() {
    address?.mailbox.taskWaits()
  }

  @usableFromInline
  func complain() {
    address?.complain(about: identity)
  }

  /// The state as it is between two steps, not waiting for what was accepted; nil once the owner is gone or the scope is nil.
  ///
  /// - Parameter whenThere: Called between the same two steps, and says whether the state is wanted; not called once the owner
  ///   is gone.
  @Sendable package func glance(_ whenThere: @escaping @Sendable () -> Bool = { true }) -> State? {
    guard let address else { return whenThere() ? read(nil) : nil }
    return address.glance(read, whenThere)
  }
}

extension Address {
  /// The state between two steps, not waiting for what was accepted; nil if there is none, or it is not wanted.
  func glance<State: Sendable>(
    _ read: @escaping @Sendable (AnyObject) -> State?,
    _ whenThere: @escaping @Sendable () -> Bool
  ) -> State? {
    let glimpse = Glimpse<State>()
    _ = mailbox.glance(at: self) { audience in
      if whenThere() { glimpse.state = read(audience) }
    }
    return glimpse.state.take()
  }
}

/// A state on its way from the queue to a thread that waits for it.
final class Glimpse<State: Sendable>: @unchecked Sendable {  // One writes, then the other reads.
  var state: State?
}
