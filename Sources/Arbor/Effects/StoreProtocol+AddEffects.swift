extension StoreProtocol {
  /// Adds effects to the store, for as long as the returned subscription is kept.
  ///
  /// ```swift
  /// let saving = store.add { state, action in action.isEdit ? .run(key: "save") { _ in try await save(state) } : .none }
  /// ```
  ///
  /// - They are called for each action of the store and of its children that is accepted from now on, with the state
  ///   that this store shows: for a child, the composed state. They aren't called while the store's scope is nil.
  /// - The order: first all declared effects of the store and of its ancestors; then the effects added to this store,
  ///   in the order you added them; then the effects added to its ancestors.
  /// - They are called for each commit, too. At a parent, a child's commit is a mutation that changes nothing.
  /// - If you add them to a scope, they are called for all actions of the scope's root or child store, whichever scope
  ///   they are sent through. Their actions go to that store, which also has the keys of their tasks.
  /// - When the subscription ends, their tasks are canceled, and their waiting actions aren't reduced.
  /// - You can call it from any thread, even inside callbacks. It does nothing after the owner is gone.
  /// - Cost: while anything is added to any store of a tree, each action and each commit of the tree costs as much as
  ///   with one more interceptor. A tree without additions pays nothing.
  /// - Stops the program with a message if the store is a scope with its own type of actions, or is closure-backed.
  /// - Parameter effects: Returns the effect of an action, after the action's reducers, with this store's new state.
  public func add(
    effects: @escaping @Sendable (_ state: State, _ action: Action) -> Effect<Action>
  ) -> StoreSubscription {
    let (store, groups) = (asStore, AddedEffectGroups())
    return store.add(
      AddedFunction(
        performEffects: { action, node, tracker, onEffectError in
          guard let state = store.read(node) else { return }
          let effect = effects(state, action)
          guard !effect.isNone else { return }
          effect.releaseLater()
          groups.perform(within: .of(tracker)) { store.sink.perform(effect, in: $0, of: action, onEffectError) }
        },
        didRemove: groups.cancel
      )
    )
  }
}

/// The groups of effects that were added together. Only used on the tree's queue.
private final class AddedEffectGroups {
  private var groups = ActiveGroups<Void>()

  /// The number of groups at which silent ones are removed.
  private var limit = 8

  func perform(within outer: EffectGroup?, _ perform: (EffectGroup) -> Void) {
    var group = EffectGroup()
    group.perform(within: outer) { perform(group) }
    groups.add(&group, ())
    guard groups.members.count > limit else { return }
    groups.removeSilent()
    limit = max(8, 2 * groups.members.count)
  }

  /// Cancels the tasks of the effects, and revokes the actions that they sent.
  func cancel() {
    for member in groups.members { member.group?.cancel() }
  }
}
