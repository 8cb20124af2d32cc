extension StoreProtocol {
  /// Adds effects to the store, for as long as the returned subscription is kept.
  ///
  /// ```swift
  /// let saving = store.add { state, action in action.isEdit ? .run(key: "save") { _ in try await save(state) } : .none }
  /// ```
  ///
  /// - They are asked for each action of the store's node and of its children that is accepted from then on, with this
  ///   store's state; not while its scope is nil. On the way of one action: behind all effects that are declared, those
  ///   of the node before those of its ancestors; at one node in the order of adding.
  /// - Of the commits they see each, those for which a caller waits included. A child's commit is seen at its parent as a
  ///   mutation that changes nothing there.
  /// - They belong to the store's node: it receives their actions and has the keys of their tasks.
  /// - When the subscription ends, in its turn among the actions, the tasks and waiting actions of these effects are
  ///   cancelled.
  /// - From any thread, also inside callbacks. It does nothing once the owner is gone.
  /// - While nothing is added anywhere in a tree, its actions cost what they did.
  /// - Stops the program with a message if the store is a scope with its own type of actions, or was made by hand.
  /// - Parameter effects: Returns the effect of an action, after the action's reducers, with this store's new state.
  public func add(
    effects: @escaping @Sendable (_ state: State, _ action: Action) -> Effect<Action>
  ) -> StoreSubscription {
    let store = asStore
    return store.add(
      AddedFunction(effect: { action, node in
        guard let state = store.read(node) else { return nil }
        let effect = effects(state, action)
        guard !effect.isNone else { return nil }
        effect.releaseLater()
        return { group, onEffectError in store.sink.perform(effect, in: group, of: action, onEffectError) }
      })
    )
  }

  /// Adds an interceptor to the store, for as long as the returned subscription is kept.
  ///
  /// - It judges each action of the store's node and of its children that is accepted from then on, behind the
  ///   interceptors that the node declares and those that were added to it before, and in front of those of its
  ///   ancestors. While the store's scope is nil, actions pass it.
  /// - It sees the state before the step: a child's is composed for it, once more than for effects and observers.
  /// - Of the commits it judges each; see ``Mutation/isAwaited``.
  /// - Otherwise like ``add(effects:)``.
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
  fileprivate func add(_ function: AddedFunction<Action>) -> StoreSubscription {
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
