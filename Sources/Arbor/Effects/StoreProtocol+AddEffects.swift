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
}
