public import Dispatch

extension StoreObject {
  /// Makes a child of this child, like
  /// ``StoreProtocol/childStore(initialState:stateMapping:interceptor:interceptors:effects:stateEffects:qos:reducer:)``.
  ///
  /// - Parameters:
  ///   - initialState: The new child's own state at the start.
  ///   - stateMapping: Composes this child's state and the new child's own into the state that the new child shows.
  ///   - interceptor: Sees each action of the new child before the new child's reducer, and cannot change it.
  ///   - interceptors: Pass, replace or drop each action of the new child before its reducer. They read its own state.
  ///   - effects: Returns the effect of an action of the new child. Called with the new child's own state.
  ///   - stateEffects: The effects of jobs in the new child's own state; see ``StateEffect``.
  ///   - qos: The minimum quality of service for the new child's actions; the factory's applies where that is higher.
  ///   - reducer: Changes the new child's own state.
  @inlinable
  public func childStore<Local: Sendable, Composed: Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    interceptors: [Interceptor<Local, Action>] = [],
    effects: (@Sendable (_ state: Local, _ action: Action) -> Effect<Action>)? = nil,
    stateEffects: [StateEffect<Local, Action>] = [],
    qos: DispatchQoS = .unspecified,
    reducer: @escaping Reducer<Local, Action>
  ) -> StoreObject<Composed, Action> {
    childStore(
      initialState: initialState,
      stateMapping: stateMapping,
      feature: Feature(
        interceptor: interceptor,
        interceptors: interceptors,
        effects: effects,
        stateEffects: stateEffects,
        reducer: reducer
      ),
      qos: qos
    )
  }

  /// Makes a child of this child that does what a feature says, like
  /// ``StoreProtocol/childStore(initialState:stateMapping:feature:composedEffects:qos:)``.
  ///
  /// - Parameters:
  ///   - initialState: The new child's own state at the start.
  ///   - stateMapping: Composes this child's state and the new child's own into the state that the new child shows.
  ///   - feature: All that the new child does. Its state is the new child's own, its actions are this child's.
  ///   - composedEffects: Returns the effect of an action of the new child, after the feature's own effects, with the
  ///     state that the new child shows. Not called while that is nil.
  ///   - qos: The minimum quality of service for the new child's actions; the factory's applies where that is higher.
  @inlinable
  public func childStore<Local: Sendable, Composed: Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    feature: Feature<Local, Action>,
    composedEffects: (@Sendable (_ state: Composed, _ action: Action) -> Effect<Action>)? = nil,
    qos: DispatchQoS = .unspecified
  ) -> StoreObject<Composed, Action> {
    let child = base.childStore(
      initialState: initialState,
      stateMapping: stateMapping,
      feature: feature,
      composedEffects: composedEffects,
      qos: qos
    )
    // This object keeps the owner alive, so nil means that the object is closure-backed.
    guard let child else { Misuse.childOfClosureBackedObject.stop() }
    return child
  }

  /// Makes a child of this child, like
  /// ``StoreProtocol/childStore(initialState:interceptor:interceptors:effects:stateEffects:qos:reducer:)``.
  ///
  /// - Parameters:
  ///   - initialState: The new child's own state at the start.
  ///   - interceptor: Sees each action of the new child before the new child's reducer, and cannot change it.
  ///   - interceptors: Pass, replace or drop each action of the new child before its reducer. They read its own state.
  ///   - effects: Returns the effect of an action of the new child. Called with the new child's own state.
  ///   - stateEffects: The effects of jobs in the new child's own state; see ``StateEffect``.
  ///   - qos: The minimum quality of service for the new child's actions; the factory's applies where that is higher.
  ///   - reducer: Changes the new child's own state.
  @inlinable
  public func childStore<Local: Sendable>(
    initialState: Local,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    interceptors: [Interceptor<Local, Action>] = [],
    effects: (@Sendable (_ state: Local, _ action: Action) -> Effect<Action>)? = nil,
    stateEffects: [StateEffect<Local, Action>] = [],
    qos: DispatchQoS = .unspecified,
    reducer: @escaping Reducer<Local, Action>
  ) -> StoreObject<(State, Local), Action> {
    childStore(
      initialState: initialState,
      stateMapping: { ($0, $1) },
      interceptor: interceptor,
      interceptors: interceptors,
      effects: effects,
      stateEffects: stateEffects,
      qos: qos,
      reducer: reducer
    )
  }

  /// Makes a child of this child that does what a feature says, like
  /// ``StoreProtocol/childStore(initialState:feature:qos:)``.
  ///
  /// - Parameters:
  ///   - initialState: The new child's own state at the start.
  ///   - feature: All that the new child does. Its state is the new child's own, its actions are this child's.
  ///   - qos: The minimum quality of service for the new child's actions; the factory's applies where that is higher.
  @inlinable
  public func childStore<Local: Sendable>(
    initialState: Local,
    feature: Feature<Local, Action>,
    qos: DispatchQoS = .unspecified
  ) -> StoreObject<(State, Local), Action> {
    childStore(initialState: initialState, stateMapping: { ($0, $1) }, feature: feature, qos: qos)
  }
}
