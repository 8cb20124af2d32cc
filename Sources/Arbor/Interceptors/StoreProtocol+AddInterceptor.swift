extension StoreProtocol {
  /// Adds an interceptor to the store, for as long as the returned subscription is kept.
  ///
  /// - It judges each action of the store and of its children that is accepted from then on: after the store's declared
  ///   interceptors and those that were added to it before, and before those of its ancestors. While the store's scope
  ///   is nil, actions pass it.
  /// - Its context has this store's state before the step. For a child that state is composed once more.
  /// - It judges commits, too, as a declared interceptor does.
  /// - Added to a scope, it judges all actions of the scope's root or child store, through whichever scope they are sent.
  /// - When the subscription ends, actions that were accepted before are still judged, and no others.
  /// - From any thread, also inside callbacks. It does nothing once the owner is gone.
  /// - While nothing is added anywhere in a tree, its actions cost what they did.
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
