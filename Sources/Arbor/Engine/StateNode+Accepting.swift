/// Appending actions to the mailbox, and the handlers that run them in their turn.
extension StateNode {
  /// Sends an action without waiting for its step.
  ///
  /// - Returns: Whether it was accepted.
  @inlinable @inline(__always)
  static func send<Tracer: StepTracer>(_ action: Action, to address: NodeAddress, _: Tracer.Type) -> Bool {
    let stamp = Tracer.of(address.tree).stamp()
    guard Handler.canRun(Action.self, Tracer.Stamp.self) else {
      return append([action], to: address) { node in node.step(action, stamp, Tracer.of(node.tree)) }
    }
    return address.send(action, stamp)
  }

  /// Sends a batch, a revocable action or an awaited action.
  ///
  /// - Returns: Whether it was accepted.
  @inlinable
  static func submit<Tracer: StepTracer>(
    _ submission: Submission<Action>,
    to address: NodeAddress,
    _: Tracer.Type
  ) -> Bool {
    let stamp = Tracer.of(address.tree).stamp()
    switch submission {
    case .batch(let actions):
      guard !actions.isEmpty else { return address.isOpen }
      return append(actions, to: address) { node in
        node.step(batch: actions, stamp, Tracer.of(node.tree))
      }
    case .revocable(let action, let sender):
      guard !sender.isOver else { return false }
      return append([action], from: sender, to: address) { node in
        node.step(action, from: sender, stamp, Tracer.of(node.tree))
      }
    case .waiting(let action):
      return address.tree.runInTurn(at: address, orStopWith: .waitingInsideItsOwnTree) { node in
        unsafeDowncast(node, to: StateNode.self).step(action, stamp, Tracer.of(address.tree))
      }
    case .awaited(let action, let effects, let completion):
      return append([action], isAwaited: true, to: address) { node in
        node.step(action, in: effects, stamp, Tracer.of(node.tree))
        node.tree.complete(completion)
      }
    }
  }

  /// Appends work that runs actions as one step.
  @inlinable
  static func append(
    _ actions: @autoclosure () -> [Action],
    from sender: ActionSender? = nil,
    isAwaited: Bool = false,
    to address: NodeAddress,
    _ work: @escaping @Sendable (StateNode) -> Void
  ) -> Bool {
    // Built for an inspection only.
    var describe: (@Sendable (AnyObject) -> WaitingEntry)?
    if address.tree.inspection != nil {
      describe = { [actions = actions()] node in
        let store = unsafeDowncast(node, to: StateNode.self).monitored
        return WaitingEntry(.actions, sender?.isRevoked == true ? [] : actions, of: store, isAwaited: isAwaited)
      }
    }
    return address.tree.append(at: address, .actions, describe: describe) { node in
      work(unsafeDowncast(node, to: StateNode.self))
    }
  }

  /// Makes the handler of plain actions, which are stored in the mailbox as they are.
  @inlinable
  static func handler<Tracer: StepTracer>(of node: Unmanaged<StateNode>, _: Tracer.Type) -> Handler {
    Handler(of: node) { (node: StateNode, action: Action, stamp: Tracer.Stamp) in
      node.step(action, stamp, Tracer.of(node.tree))
    } describe: { node, action in
      WaitingEntry(.actions, [action], of: node.monitored)
    }
  }
}
