extension StoreProtocol {
  /// Adds an interceptor to the store, as long as you keep the returned subscription.
  ///
  /// - It judges each action of the store and of its children that is accepted from now on. It runs after the store's
  ///   declared interceptors and any that were added earlier, and before the interceptors of the store's ancestors.
  ///   While the store's scope is nil, actions pass without it.
  /// - Its context has this store's state before the step. For a child, that state is composed once more.
  /// - It also judges commits, like a declared interceptor.
  /// - If you add it to a scope, it judges all actions of the scope's root or child store, whichever scope they are
  ///   sent through.
  /// - When the subscription ends, it still judges actions that were accepted earlier, but no others.
  /// - You can call it from any thread, even inside callbacks. It does nothing once the owner is gone.
  /// - Cost: while nothing is added anywhere in a tree, its actions cost nothing extra.
  /// - Stops the program with a message if the store is a scope with its own type of actions, or is closure-backed.
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
