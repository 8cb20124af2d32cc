extension StoreProtocol {
  /// Adds an interceptor to the store, for as long as the returned subscription is kept.
  ///
  /// - It judges each action of the store's node and of its children that is accepted from then on, behind the
  ///   interceptors that the node declares and those that were added to it before, and in front of those of its
  ///   ancestors. While the store's scope is nil, actions pass it.
  /// - It sees the state before the step: a child's is composed for it, once more than for effects and observers.
  /// - Of the commits it judges each; see ``Mutation/isAwaited``.
  /// - It belongs to the store's node, of whatever the store is a scope.
  /// - When the subscription ends, it judges in its turn no more.
  /// - From any thread, also inside callbacks. It does nothing once the owner is gone.
  /// - While nothing is added anywhere in a tree, its actions cost what they did.
  /// - Stops the program with a message if the store is a scope with its own type of actions, or was made by hand.
  /// - Parameter interceptor: The interceptor, which reads this store's state.
  public func add(interceptor: Interceptor<State, Action>) -> StoreSubscription {
    let store = asStore
    return store.add(
      AddedFunction(judge: { action, node, dispatch in
        guard let current = store.read(node) else { return .passed }
        let intercepted = InterceptedStore<State, Action>(
          dispatch: dispatch,
          read: { store.state },
          current: current,
          address: node.nodeAddress
        )
        return interceptor.judge(&action, Interceptor<State, Action>.Context(intercepted))
      })
    )
  }
}

extension Store {
  /// Adds a function to the store's node, in its turn.
  package func add(_ function: AddedFunction<Action>) -> StoreSubscription {
    guard let address, sink is NodeSink<Action> else { Misuse.addingToStoreWithOwnActions.stop() }
    let isAccepted = address.tree.append(at: address, .following(needsPresent: false)) { node in
      Node.of(node).attachments
        .object { AddedFunctions<Action>(on: address.tree) }
        ._withUnsafeGuaranteedRef { $0.add(function) }
    }
    if !isAccepted { reportUseAfterRelease() }
    return StoreSubscription { [weak function] in
      _ = address.tree.append(at: address, .following(needsPresent: false)) { [weak function] node in
        guard let function else { return }
        Node.of(node).attachments.existing(AddedFunctions<Action>.self)?
          ._withUnsafeGuaranteedRef { $0.remove(function) }
      }
    }
  }
}
