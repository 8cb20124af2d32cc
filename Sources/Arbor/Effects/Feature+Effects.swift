extension Feature {
  /// Makes a feature with effects.
  ///
  /// - Parameters:
  ///   - interceptor: Sees each action before the reducers and cannot change it, like that of a feature without effects:
  ///     see ``init(interceptor:interceptors:reducer:)``.
  ///   - interceptors: Pass, replace or drop each action, in the order of the list, after `interceptor`; see
  ///     ``Interceptor``.
  ///   - effects: Returns the effect of an action. Called after all reducers of the step, with the new state, before
  ///     the observers. See ``Effect``.
  ///   - stateEffects: The effects of jobs that run while the state says so; see ``StateEffect``.
  ///   - onEffectError: Receives each error that a task of the feature's effects throws: the task's key, the action
  ///     that started the task (nil for a ``StateEffect``), and the error. Of a ``StateEffect`` that is retried, only
  ///     the error after the last retry. Called on any thread. Without it, the error goes to the store that has the
  ///     feature.
  ///   - reducer: Changes the state according to an action; see ``Reducer``. If it is nil, the feature changes nothing.
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
  ///   - interceptors: Pass, replace or drop each action, in the order of the list.
  ///   - effects: Returns the effect of an action, with the new state.
  ///   - stateEffects: The effects of jobs that run while the state says so; see ``StateEffect``.
  ///   - onEffectError: Receives each error that a task of the feature's effects throws. Without it, the error goes to
  ///     the store that has the feature.
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
  /// The feature with further effects that see the state before the action as well as the state after it.
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
  /// - They run after the effects that the feature declares itself, and otherwise work in the same way.
  /// - `before` is the state in which the action has found this feature: called on a combination, before the reducers of
  ///   all its features. In a batch it is the state that the action before has left.
  /// - Cost: a copy of the state is kept while the reducers run, for each action of this feature. So whatever they change
  ///   in an array, a dictionary or a set is copied on that first change, however large it is. Call this on the feature
  ///   of a small part, not of the whole. Features without it pay nothing.
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

  /// The feature with effects that each client of a shared store performs, instead of the sender of an action alone.
  ///
  /// - They are asked with confirmed states, as all effects of a shared store. What they dispatch is an action of each client.
  /// - A client that begins at a snapshot of the log performs none for the actions before.
  /// - In any other store it is the same feature.
  @inlinable
  public func performedEverywhere() -> Feature {
    Feature(making: { place in
      guard var shared = EffectPlace(place) else { return make(place) }
      shared.sharing = shared.sharing?.everywhere
      return make(shared.featurePlace)
    })
  }
}

/// The state before the running action, kept from the reducers until the effects. On the tree's queue only.
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
  /// The handler of errors that only are to be reported, which a `CancellationError` is not.
  ///
  /// - Parameters:
  ///   - handler: The feature's own; nil if the errors go outwards.
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

  /// Performs the effect of a state, with all that it starts as members of a group.
  func perform(_ effect: Effect<Action>, in group: EffectGroup, onEffectError: @escaping EffectErrorHandler<Action>) {
    effect.releaseLater()
    group.perform { sink.perform(effect, in: group, of: nil, onEffectError) }
  }
}
