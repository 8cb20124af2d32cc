extension Inlet {
  /// The way in to a node of a tree with monitors.
  @inlinable
  static func monitored<State>(
    to _: StateNode<State, Action>.Type,
    at port: Port,
    by monitoring: Monitoring
  ) -> Inlet {
    let (mailbox, door) = (port.mailbox, port.door)
    return Inlet(
      dispatch: { action in port.send(action, monitoring) },
      dispatchBatch: { actions in port.send(batch: actions, monitoring) },
      dispatchAndWait: { action in
        let accepted = monitoring.timeOfAcceptance()
        return mailbox.runInTurn(at: door, else: .waitingInsideItsOwnTree) { node in
          unsafeDowncast(node, to: StateNode<State, Action>.self).step(action, accepted: accepted, monitoring)
        }
      },
      commit: { change, mutation in
        let accepted = monitoring.timeOfAcceptance()
        return mailbox.runInTurn(at: door, else: .committingInsideItsOwnTree) { node in
          let node = unsafeDowncast(node, to: StateNode<State, Action>.self)
          let isApplied = WaitedCommit.with(change) { node.step(mutation($0), accepted: accepted, monitoring) }
          guard isApplied else { Misuse.droppingCommit.stop() }
        }
      },
      dispatchThen: { action, group, completion in
        let accepted = monitoring.timeOfAcceptance()
        return mailbox.appendAwaited(at: door, completion, action: action) { node in
          mailbox.effects = group
          unsafeDowncast(node, to: StateNode<State, Action>.self).step(action, accepted: accepted, monitoring)
          mailbox.effects = nil
        }
      },
      dispatchRevocably: { action, sender in port.send(action, by: sender, monitoring) },
      tasks: door.tasks,
      upstream: { node in Upstream(of: unsafeDowncast(node, to: StateNode<State, Action>.self)) }
    )
  }
}
