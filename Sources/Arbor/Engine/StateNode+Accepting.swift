/// Accepting actions for a node, and running them when their turn comes.
extension StateNode {
  /// Sends an action, for which nobody waits.
  ///
  /// - Returns: Whether it was accepted.
  @inlinable @inline(__always)
  static func send<Tracer: StepTracer>(_ action: Action, to address: NodeAddress, _ tracer: Tracer) -> Bool {
    guard Handler.canRun(Action.self, Tracer.Stamp.self) else {
      return address.send([action], tracer.stamp(), to: address.batches)
    }
    return address.send(action, tracer.stamp(), to: address.actions)
  }

  /// Sends anything else.
  ///
  /// - Returns: Whether it was accepted.
  @inlinable
  static func submit<Tracer: StepTracer>(
    _ submission: Submission<Action>,
    to address: NodeAddress,
    _ tracer: Tracer
  ) -> Bool {
    switch submission {
    case .batch(let actions):
      guard !actions.isEmpty else { return address.isOpen }
      return address.send(actions, tracer.stamp(), to: address.batches)
    case .revocable(let action, let sender):
      guard !sender.isOver else { return false }
      let revocable = RevocableAction(action, by: sender)
      guard Handler.canRun(RevocableAction<Action>.self, Tracer.Stamp.self) else {
        return address.send([revocable], tracer.stamp(), to: address.revocableActions)
      }
      return address.send(revocable, tracer.stamp(), to: address.revocableActions)
    case .waiting(let action):
      let stamp = tracer.stamp()
      return address.mailbox.runInTurn(at: address, else: .waitingInsideItsOwnTree) { node in
        unsafeDowncast(node, to: StateNode.self).step(action, stamp, tracer)
      }
    case .awaited(let action, let effects, let completion):
      let stamp = tracer.stamp()
      return address.mailbox.appendAwaited(at: address, completion, action: action) { node in
        unsafeDowncast(node, to: StateNode.self).step(action, in: effects, stamp, tracer)
      }
    }
  }

  /// Makes the handlers of the actions, the batches and the actions of tasks that are sent to a node.
  @inlinable
  static func handlers<Tracer: StepTracer>(of node: Unmanaged<StateNode>, _ tracer: Tracer) -> [Handler] {
    [
      Handler { (action: Action, stamp: Tracer.Stamp) in
        node._withUnsafeGuaranteedRef { $0.step(action, stamp, tracer) }
      } look: { action in
        look(at: [action], for: node)
      },
      Handler { (actions: [Action], stamp: Tracer.Stamp) in
        node._withUnsafeGuaranteedRef { $0.step(batch: actions, stamp, tracer) }
      } look: { actions in
        look(at: actions, for: node)
      },
      Handler.canRun(RevocableAction<Action>.self, Tracer.Stamp.self)
        ? Handler { (revocable: RevocableAction<Action>, stamp: Tracer.Stamp) in
          node._withUnsafeGuaranteedRef { $0.step(revocable.action, from: revocable.sender, stamp, tracer) }
        } look: { revocable in
          look(at: revocable, for: node)
        }
        : Handler { (revocable: [RevocableAction<Action>], stamp: Tracer.Stamp) in
          node._withUnsafeGuaranteedRef { $0.step(revocable[0].action, from: revocable[0].sender, stamp, tracer) }
        } look: { revocable in
          look(at: revocable[0], for: node)
        },
    ]
  }

  /// The entry of waiting actions, for inspection.
  @inlinable
  static func look(at actions: [Action], for node: Unmanaged<StateNode>) -> WaitingEntry {
    node._withUnsafeGuaranteedRef { WaitingEntry(.actions, actions, of: $0.monitored) }
  }

  @inlinable
  static func look(at revocable: RevocableAction<Action>, for node: Unmanaged<StateNode>) -> WaitingEntry {
    look(at: revocable.sender.isRevoked ? [] : [revocable.action], for: node)
  }
}
