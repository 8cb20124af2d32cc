/// Sending to a node of a tree with monitors: as without them, with the time.
extension Port {
  @inlinable
  func send<Action: Sendable>(_ action: Action, _ monitoring: Monitoring) -> Bool {
    guard Handler.canRun(Timed<Action>.self) else { return send(batch: [action], monitoring) }
    return send(Timed(action, monitoring.timeOfAcceptance()), to: door.actions)
  }

  @inlinable
  func send<Action: Sendable>(batch actions: [Action], _ monitoring: Monitoring) -> Bool {
    guard !actions.isEmpty else { return door.isOpen }
    return send(Timed(actions, monitoring.timeOfAcceptance()), to: door.batches)
  }

  @inlinable
  func send<Action: Sendable>(_ action: Action, by sender: TaskSender, _ monitoring: Monitoring) -> Bool {
    guard !sender.isOver else { return false }
    let timed = Timed([SentAction(action, by: sender)], monitoring.timeOfAcceptance())
    return send(timed, to: door.sentActions)
  }

  @inlinable
  func send<Payload>(_ timed: Timed<Payload>, to handler: Unmanaged<Handler>) -> Bool {
    mailbox.append(at: door, handler) { place in
      place.initializeMemory(as: Timed<Payload>.self, to: timed)
    }
  }
}
