/// Appending actions to the mailbox, and the handlers that run them when their turn comes.
extension StateNode {
  /// Sends an action without waiting for its step.
  ///
  /// - Returns: `true` if it was accepted.
  @inlinable @inline(__always)
  static func send(_ action: Action, to address: NodeAddress) -> Bool {
    guard Handler.canStore(Action.self, Void.self) else {
      return append([action], to: address) { node in node.step(action, nil) }
    }
    return address.send(action, ())
  }

  /// Sends an action in a tree whose actions are traced, without waiting for its step.
  @inlinable @inline(__always)
  static func sendTraced(_ action: Action, to address: NodeAddress) -> Bool {
    let stamp = address.tree.makeStamp(from: nil)
    if address.tree.isShowingMoment { return drop([action], at: address, stamp) }
    guard Handler.canStore(Action.self, ActionStamp.self) else {
      return append([action], to: address) { node in node.step(action, stamp) }
    }
    return address.send(action, stamp)
  }

  /// Sends a batch, a revocable action or an awaited action.
  ///
  /// - Returns: `true` if it was accepted.
  @inlinable
  static func submit(_ submission: Submission<Action>, to address: NodeAddress) -> Bool {
    let sender = submission.sender
    guard sender?.isOver != true else { return false }
    let stamp = address.tree.stamp(from: sender)
    if let stamp, address.tree.isShowingMoment, let actions = submission.actionsWithoutWait {
      return drop(actions, at: address, stamp)
    }
    switch submission {
    case .batch(let actions, let completion):
      guard !actions.isEmpty || completion != nil else { return address.isOpen }
      return append(actions, isAwaited: completion != nil, to: address) { node in
        node.step(batch: actions, stamp)
        if let completion { node.tree.complete(completion) }
      }
    case .blockingBatch(let actions, let condition):
      return address.tree.runInTurn(at: address, orStopWith: .waitingInsideItsOwnTree) { node in
        guard condition?() != false else { return }
        StateNode.of(node).step(batch: actions, stamp)
      }
    case .revocable(let action, let sender):
      return append([action], from: sender, to: address) { node in
        node.step(action, from: sender, stamp)
      }
    case .revocableBatch(let actions, let sender):
      return append(actions, from: sender, to: address) { node in
        node.step(batch: actions, from: sender, stamp)
      }
    case .blocking(let action):
      return address.tree.runInTurn(at: address, orStopWith: .waitingInsideItsOwnTree) { node in
        StateNode.of(node).step(action, stamp)
      }
    case .awaited(let action, let step):
      return append([action], isAwaited: true, to: address) { node in
        let isReduced = node.step(action, trackedBy: step.effects, stamp)
        step.didRun?(isReduced)
        node.tree.complete(step.completion)
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
    // Only made for an inspection.
    var describe: (@Sendable (AnyObject) -> WaitingEntry)?
    if address.tree.inspection != nil {
      describe = { [actions = actions()] node in
        let identity = StateNode.of(node).identity
        return WaitingEntry(.actions, sender?.isRevoked == true ? [] : actions, at: identity, isAwaited: isAwaited)
      }
    }
    return address.tree.append(at: address, isAwaited ? .awaitedActions : .actions, describe: describe) { node in
      work(StateNode.of(node))
    }
  }

  /// Makes the handler of plain actions, which are stored unchanged in the mailbox.
  @inlinable
  static func handler(of node: Unmanaged<StateNode>, isTraced: Bool) -> Handler {
    let describe: @Sendable (StateNode, Action) -> WaitingEntry = { node, action in
      WaitingEntry(.actions, [action], at: node.identity)
    }
    guard !isTraced else {
      return Handler(
        of: node,
        { (node: StateNode, action: Action, stamp: ActionStamp) in node.step(action, stamp) },
        describe: describe
      )
    }
    return Handler(
      of: node,
      { (node: StateNode, action: Action, _: Void) in node.step(action, nil) },
      describe: describe
    )
  }
}

extension StateNode {
  /// Accepts actions that an observer sends while it is shown a moment other than the present. They don't reach a
  /// reducer, and monitors see them as dropped.
  @inlinable
  static func drop(_ actions: [Action], at address: NodeAddress, _ stamp: ActionStamp) -> Bool {
    address.tree.append(at: address, .other, describe: nil) { node in
      let node = StateNode.of(node)
      for (index, action) in actions.enumerated() {
        node.begin(action, stamp)
        _ = node.isNoStep(.dropped)
        node.end(action, isLastOfStep: index == actions.count - 1)
      }
    }
  }
}
