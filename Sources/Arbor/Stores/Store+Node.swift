extension Store {
  /// The store of a node as a whole. Holds the way to the node, which may be made later, and not the node.
  @inlinable
  init<Tracer: StepTracer>(
    at address: NodeAddress, tracedBy tracer: Tracer.Type, presences: [AttachmentHost.PresenceSource] = []
  ) {
    self.init(
      address: address,
      sink: ActionSink(to: StateNode<State, Action>.self, at: address, tracedBy: tracer),
      read: { node in unsafeDowncast(node!, to: StateNode<State, Action>.self).read() },
      connect: { observer, role in
        let scope: Identity?
        switch role {
        case .observer(let store): scope = store
        case .internalObserver: scope = nil
        case .derivedValue:
          let subscription = StateSubscription(observer, scope: nil, address: address)
          subscription.feedsDerivedValue = true
          let isOpen = address.wait { node in
            // Derived values of a child that was made in the running callback are to be found in its step.
            address.tree.applyJoins()
            unsafeDowncast(node, to: Node.self).link(subscription)
          }
          return isOpen ? Connection(subscription) : nil
        case .child(let child):
          let parentSubscription = StateSubscription(observer, scope: nil, address: address)
          address.tree.join(child, by: parentSubscription, at: address)
          return Connection(nil)
        }
        return address.subscribe(observer, scope: scope) { node in
          unsafeDowncast(node!, to: StateNode<State, Action>.self).read()
        }
      },
      presences: presences
    )
  }

  /// The mailbox of the tree; nil if the store was made by hand.
  package var tree: Tree? { address?.tree }

  /// The identity of the store's node for monitors; nil if there are none.
  package var monitored: MonitoredStore? { address?.monitored }

  /// Sends an action, and calls a closure after its step; not at all if the owner is gone.
  ///
  /// - Returns: Whether it was accepted.
  package func dispatch(_ action: Action, then completion: @escaping @Sendable () -> Void) -> Bool {
    sink.submit(.awaited(action, effects: nil, completion: completion))
  }

  /// How many threads run the tree's work or wait to.
  package var activeThreads: Int { address?.tree.activeThreads ?? 0 }

  /// How many chunks of memory the tree's mailbox holds.
  package var chunkCount: Int { address?.tree.chunkCount ?? 0 }

  /// Delivers at once what waits for the main actor, if this is on it.
  @usableFromInline
  func deliverMainNow() {
    address?.tree.main.deliverNow()
  }

  /// A task is about to suspend until an action of it was reduced.
  @usableFromInline
  func taskWaits() {
    address?.tree.taskWaits()
  }

  @usableFromInline
  func reportUseAfterRelease() {
    address?.reportUseAfterRelease(by: identity)
  }

  /// The state as it is between two steps, not waiting for what was accepted; nil once the owner is gone or the scope is nil.
  package func readBetweenSteps() -> State? {
    asStateSource.readBetweenSteps { true }
  }
}
