extension Feature {
  /// Makes a feature with effects.
  ///
  /// - Parameters:
  ///   - interceptor: Sees each action before the reducers and can't change it, as in a feature without effects; see
  ///     ``init(interceptor:interceptors:reducer:)``.
  ///   - interceptors: Pass, replace, drop or hold each action, in the order of the list, after `interceptor`; see
  ///     ``Interceptor``.
  ///   - effects: Returns the effect of an action. Called after all reducers of the step, with the new state, before
  ///     the observers. See ``Effect``.
  ///   - stateEffects: The effects of work that runs while the state requires it; see ``StateEffect``.
  ///   - onEffectError: Receives each error that a task of the feature's effects throws: the task's key, the action
  ///     that started the task (nil for a ``StateEffect``), and the error. If a ``StateEffect`` is retried, it only
  ///     receives the error after the last retry. Called on any thread. If nil, the error goes to the store that has
  ///     the feature.
  ///   - reducer: Changes the state according to an action; see ``Reducer``. If it is nil, the feature doesn't change
  ///     the state.
  @inlinable
  public init(
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    interceptors: [Interceptor<State, Action>] = [],
    effects: (@Sendable (_ state: State, _ action: Action) -> Effect<Action>)? = nil,
    stateEffects: [StateEffect<State, Action>] = [],
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)? =
      nil,
    reducer: Reducer<State, Action>?
  ) {
    self.init { place in
      guard let place = EffectPlace(place) else { return FeatureFunctions(reducer: reducer) }
      let performer = EffectPerformer(
        effects: effects,
        stateEffects: stateEffects,
        at: place,
        onEffectError: onEffectError
      )
      return FeatureFunctions(
        reducer: reducer,
        interceptors: Feature.interceptors(interceptor, interceptors),
        effects: performer.map { PlacedEffects($0).featureEffects }
      )
    }
  }

  /// Makes a feature that never changes the state.
  ///
  /// - Parameters:
  ///   - interceptors: Pass, replace, drop or hold each action, in the order of the list.
  ///   - effects: Returns the effect of an action, with the new state.
  ///   - stateEffects: The effects of work that runs while the state requires it; see ``StateEffect``.
  ///   - onEffectError: Receives each error that a task of the feature's effects throws. If nil, the error goes to the
  ///     store that has the feature.
  @_disfavoredOverload
  @inlinable
  public init(
    interceptors: [Interceptor<State, Action>] = [],
    effects: (@Sendable (_ state: State, _ action: Action) -> Effect<Action>)? = nil,
    stateEffects: [StateEffect<State, Action>] = [],
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)? =
      nil
  ) {
    // Disfavored, and without a plain interceptor, so that a trailing closure is a reducer.
    self.init(
      interceptors: interceptors,
      effects: effects,
      stateEffects: stateEffects,
      onEffectError: onEffectError,
      reducer: nil
    )
  }
}

extension Feature {
  /// Returns this feature with additional effects that see both the state before the action and the state after it.
  ///
  /// ```swift
  /// let editor = Feature<Editor, EditorAction>(reducer: reduce).withEffects { before, state, action in
  ///   switch action {
  ///   case .load where !before.isLoading: .run { dispatch in dispatch(.loaded(try await load())) }
  ///   case .saved where before.isClosing: .send(.close)
  ///   default: .none
  ///   }
  /// }
  /// ```
  ///
  /// - They run after the feature's own effects, and otherwise work the same way.
  /// - `before` is the feature's state before the action. If you call this on a combination, it is the state before the
  ///   reducers of all its features. In a batch, it is the state after the previous action.
  /// - Cost: for each action of this feature, a copy of the state is kept while the reducers run. So the first change
  ///   to an array, a dictionary or a set copies it, however large it is. Call this on the feature of a small part, not
  ///   of the whole state. Features without it pay nothing.
  /// - Parameter effects: Returns the effect of an action, after the action's reducers.
  public func withEffects(
    _ effects: @escaping @Sendable (_ before: State, _ state: State, _ action: Action) -> Effect<Action>
  ) -> Feature {
    Feature(making: { [make] place in
      let functions = make(place)
      guard let place = EffectPlace(place) else { return functions }
      let before = StateBefore<State>()
      let kept = KeptPart { before.state = nil }
      let tree = place.address.tree
      let performer = EffectPerformer<State, Action>(
        effects: { state, action in before.state.take().map { before in effects(before, state, action) } ?? .none },
        stateEffects: [],
        at: place,
        onEffectError: nil
      )
      let reducer: Reducer<State, Action> = { [reduce = functions.reducer, unowned tree] state, action in
        before.state = state
        tree.keep(kept)
        reduce?(&state, action)
      }
      // There are effects, so there is a performer.
      let further = PlacedEffects(performer!)
      return FeatureFunctions(
        reducer: reducer,
        interceptors: functions.interceptors,
        effects: functions.effects.map { PlacedEffects($0).followed(by: further).featureEffects }
          ?? further.featureEffects
      )
    })
  }

  /// Returns this feature with effects that every client of a shared store performs, instead of only the action's
  /// sender.
  ///
  /// - Like all effects of a shared store, they are requested with confirmed states. Each client sends its own copy of
  ///   the actions that they dispatch.
  /// - A client that begins at a snapshot of the log doesn't perform effects for earlier actions.
  /// - In any other store, this changes nothing.
  @inlinable
  public func performedEverywhere() -> Feature {
    Feature(making: { place in
      guard var shared = EffectPlace(place) else { return make(place) }
      shared.sharing = shared.sharing?.everywhere
      return make(shared.featurePlace)
    })
  }
}

/// The state before the running action, kept from the reducers until the effects. Only used on the tree's queue.
private final class StateBefore<State: Sendable>: Sendable {
  nonisolated(unsafe) var state: State?
}

extension PlacedEffects {
  @inlinable
  init<State>(_ performer: EffectPerformer<State, Action>) {
    self.init(
      begin: performer.begin,
      perform: performer.performAction,
      update: performer.mustSeeEachStep ? performer.update : nil
    )
  }
}

extension EffectTarget {
  /// Returns the handler of errors that are only reported. It doesn't report a `CancellationError`.
  ///
  /// - Parameters:
  ///   - handler: The feature's own handler; nil if the errors go outward.
  ///   - stateEffect: The declaration of the effect.
  func reporting(
    to handler: EffectErrorHandler<Action>?,
    of stateEffect: StateEffectDeclaration
  ) -> EffectErrorHandler<Action> {
    let report = handler ?? onEffectError
    return { [sink] key, action, error, cause in
      guard !(error is CancellationError) else { return }
      sink.report(error, ofTaskWith: key, of: stateEffect, after: action, causedBy: cause, to: report)
    }
  }

  /// Performs the effect of a state. Everything that it starts joins a group.
  func perform(_ effect: Effect<Action>, in group: EffectGroup, onEffectError: @escaping EffectErrorHandler<Action>) {
    effect.releaseLater()
    group.perform { sink.perform(effect, in: group, of: nil, onEffectError) }
  }
}
