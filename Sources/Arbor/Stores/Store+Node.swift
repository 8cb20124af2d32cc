extension Store {
  /// Makes the store of a whole node. It keeps the address, at which the node may be opened later, and not the node.
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
            // A child that was made in the running callback joins first, so that this step updates its derived values.
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

  /// The store's tree; nil if the store is closure-backed.
  package var tree: Tree? { address?.tree }

  /// The identity of the store's node for monitors; nil without monitors.
  package var monitored: MonitoredStore? { address?.monitored }

  /// Sends an action, and calls a closure after its step. The closure is not called if the owner is gone.
  ///
  /// - Returns: `true` if the action was accepted.
  package func dispatch(_ action: Action, then completion: @escaping @Sendable () -> Void) -> Bool {
    sink.submit(.awaited(action, effects: nil, completion: completion))
  }

  /// The number of threads that run the tree's work or wait to run it.
  package var activeThreads: Int { address?.tree.activeThreads ?? 0 }

  /// The number of memory chunks of the tree's mailbox.
  package var chunkCount: Int { address?.tree.chunkCount ?? 0 }

  /// Makes the waiting deliveries for the main actor at once, if the caller is on the main queue and in no callback of
  /// a tree.
  @usableFromInline
  func deliverMainNow() {
    address?.tree.main.deliverNow()
  }

  /// Notifies the executor that a task is about to suspend until accepted work was run.
  @usableFromInline
  func taskWaits() {
    address?.tree.taskWaits()
  }

  @usableFromInline
  func reportUseAfterRelease() {
    address?.reportUseAfterRelease(by: identity)
  }

  /// The state between two steps, without waiting for what was accepted; nil once the owner is gone or while the scope
  /// is nil.
  package func readBetweenSteps() -> State? {
    asStateSource.readBetweenSteps { true }
  }
}
