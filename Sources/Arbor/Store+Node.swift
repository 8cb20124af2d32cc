extension Store {
  /// The store of a node as a whole. Holds the way to the node, which may be made later, and not the node.
  @inlinable
  init(at port: Port, watches: [TaskTable.Watch] = []) {
    self.init(
      port: port,
      inlet: port.mailbox.monitoring.map { Inlet.monitored(to: StateNode<State, Action>.self, at: port, by: $0) }
        ?? Inlet(
          dispatch: { action in port.send(action) },
          dispatchBatch: { actions in port.send(batch: actions) },
          dispatchAndWait: { action in
            port.mailbox.runInTurn(at: port.door, else: .waitingInsideItsOwnTree) { node in
              unsafeDowncast(node, to: StateNode<State, Action>.self).step(action)
            }
          },
          commit: { change, mutation in
            port.mailbox.runInTurn(at: port.door, else: .committingInsideItsOwnTree) { node in
              unsafeDowncast(node, to: StateNode<State, Action>.self).step(change, mutation)
            }
          },
          dispatchThen: { action, group, completion in
            port.mailbox.appendAwaited(at: port.door, completion, action: action) { node in
              port.mailbox.effects = group
              unsafeDowncast(node, to: StateNode<State, Action>.self).step(action)
              port.mailbox.effects = nil
            }
          },
          dispatchRevocably: { action, sender in port.send(action, by: sender) },
          tasks: port.door.tasks,
          upstream: { node in Upstream(of: unsafeDowncast(node, to: StateNode<State, Action>.self)) }
        ),
      read: { node in unsafeDowncast(node!, to: StateNode<State, Action>.self).read() },
      connect: { observer, role in
        switch role {
        case .observer(let scope):
          let subscription = StateSubscription(observer, scope: scope, port: port)
          let isAccepted = port.mailbox.append(at: port.door, .subscription) { node in
            unsafeDowncast(node, to: StateNode<State, Action>.self).greet(subscription)
          }
          return isAccepted ? Connection(subscription, port: port) : nil
        case .follower:
          let subscription = StateSubscription(observer, scope: observer.identity, port: port)
          subscription.isFollower = true
          let isOpen = port.wait { node in
            // Derived values of a child that was made in the running callback are to be found in its step.
            port.mailbox.makeJoins()
            unsafeDowncast(node, to: Node.self).link(subscription)
          }
          return isOpen ? Connection(subscription, port: port) : nil
        case .child(let child):
          let membership = StateSubscription(observer, scope: observer.identity, port: port)
          port.mailbox.join(child, by: membership, at: port.door)
          return Connection()
        }
      },
      watches: watches
    )
  }

  /// The mailbox of the tree; nil if the store was made by hand.
  package var mailbox: Mailbox? { port?.mailbox }

  /// What monitors know the store's node by; nil if there are none.
  package var monitored: MonitoredStore? { port?.door.monitored }

  /// Sends an action, and calls a closure after its step; not at all if the owner is gone.
  ///
  /// - Returns: Whether it was accepted.
  package func dispatch(_ action: Action, then completion: @escaping @Sendable () -> Void) -> Bool {
    inlet.dispatchThen(action, nil, completion)
  }

  /// How many threads run the tree's work or wait to.
  package var attendants: Int { port?.mailbox.attendants ?? 0 }

  /// How many parts of states are followed here for those who watch single members of them.
  package var memberFeedCount: Int {
    var count = 0
    _ = port?.wait { node in count = unsafeDowncast(node, to: Node.self).memberFeeds.count }
    return count
  }

  /// How many chunks of memory the tree's mailbox holds.
  package var chunkCount: Int { port?.mailbox.chunkCount ?? 0 }
}
