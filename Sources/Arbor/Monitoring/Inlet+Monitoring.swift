extension Inlet {
  /// The way in to a node of a tree with monitors.
  @inlinable
  static func monitored<State>(to node: StateNode<State, Action>, by monitoring: Monitoring) -> Inlet {
    let port = node.port
    let (mailbox, door) = (port.mailbox, port.door)
    return Inlet(
      dispatch: { action in port.send(monitored: .action(action)) },
      dispatchBatch: { actions in actions.isEmpty ? door.isOpen : port.send(monitored: .batch(actions)) },
      dispatchAndWait: { action in
        let entry = MonitoredEntry(.action(action), in: mailbox)
        return mailbox.runInTurn(at: door, else: .waitingInsideItsOwnTree) { node in
          unsafeDowncast(node, to: StateNode<State, Action>.self).step(entry, monitoring)
        }
      },
      commit: { change, mutation in
        let accepted = monitoring.timeOfAcceptance()
        return mailbox.runInTurn(at: door, else: .committingInsideItsOwnTree) { node in
          let node = unsafeDowncast(node, to: StateNode<State, Action>.self)
          let isApplied = WaitedCommit.with(change) { node.step(mutation($0), from: nil, accepted, monitoring) }
          guard isApplied else { Misuse.droppingCommit.stop() }
        }
      },
      dispatchThen: { action, group, completion in
        let entry = MonitoredEntry(.action(action), in: mailbox)
        return mailbox.appendAwaited(at: door, completion) { node in
          mailbox.effects = group
          unsafeDowncast(node, to: StateNode<State, Action>.self).step(entry, monitoring)
          mailbox.effects = nil
        }
      },
      dispatchRevocably: { action, sender in
        sender.isOver ? false : port.send(monitored: .sent(SentAction(action, by: sender)))
      },
      tasks: door.tasks,
      upstream: { node in Upstream(of: unsafeDowncast(node, to: StateNode<State, Action>.self)) }
    )
  }
}
