public import Dispatch

extension StoreFactory {
  /// Makes a child of the root, like
  /// ``StoreProtocol/childStore(initialState:stateMapping:interceptor:interceptors:effects:stateEffects:qos:reducer:)``.
  ///
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - stateMapping: Composes the root's state and the child's own into the state that the child shows.
  ///   - interceptor: Sees each action of the child before the child's reducer, and cannot change it.
  ///   - interceptors: Pass, replace or drop each action of the child before its reducer. They read its own state.
  ///   - effects: Returns the effect of an action of the child. Called with the child's own state.
  ///   - stateEffects: The effects of jobs in the child's own state; see ``StateEffect``.
  ///   - qos: The minimum quality of service for the child's actions; the factory's applies where that is higher.
  ///   - reducer: Changes the child's own state.
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
    // The factory keeps the owner alive, so `childStore` cannot return nil.
    root.childStore(
      initialState: initialState,
      stateMapping: stateMapping,
      interceptor: interceptor,
      interceptors: interceptors,
      effects: effects,
      stateEffects: stateEffects,
      qos: qos,
      reducer: reducer
    )!
  }

  /// Makes a child of the root, like
  /// ``StoreProtocol/childStore(initialState:interceptor:interceptors:effects:stateEffects:qos:reducer:)``.
  ///
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - interceptor: Sees each action of the child before the child's reducer, and cannot change it.
  ///   - interceptors: Pass, replace or drop each action of the child before its reducer. They read its own state.
  ///   - effects: Returns the effect of an action of the child. Called with the child's own state.
  ///   - stateEffects: The effects of jobs in the child's own state; see ``StateEffect``.
  ///   - qos: The minimum quality of service for the child's actions; the factory's applies where that is higher.
  ///   - reducer: Changes the child's own state.
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
    root.childStore(
      initialState: initialState,
      interceptor: interceptor,
      interceptors: interceptors,
      effects: effects,
      stateEffects: stateEffects,
      qos: qos,
      reducer: reducer
    )!
  }

  /// Makes a child of the root that does what a feature says, like
  /// ``StoreProtocol/childStore(initialState:stateMapping:feature:composedEffects:qos:)``.
  ///
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - stateMapping: Composes the root's state and the child's own into the state that the child shows.
  ///   - feature: All that the child does. Its state is the child's own, its actions are the root's.
  ///   - composedEffects: Returns the effect of an action of the child, after the feature's own effects, with the state
  ///     that the child shows.
  ///   - qos: The minimum quality of service for the child's actions; the factory's applies where that is higher.
  @inlinable
  public func childStore<Local: Sendable, Composed: Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    feature: Feature<Local, Action>,
    composedEffects: (@Sendable (_ state: Composed, _ action: Action) -> Effect<Action>)? = nil,
    qos: DispatchQoS = .unspecified
  ) -> StoreObject<Composed, Action> {
    root.childStore(
      initialState: initialState,
      stateMapping: stateMapping,
      feature: feature,
      composedEffects: composedEffects,
      qos: qos
    )!
  }

  /// Makes a child of the root that does what a feature says, like
  /// ``StoreProtocol/childStore(initialState:feature:qos:)``.
  ///
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - feature: All that the child does. Its state is the child's own, its actions are the root's.
  ///   - qos: The minimum quality of service for the child's actions; the factory's applies where that is higher.
  @inlinable
  public func childStore<Local: Sendable>(
    initialState: Local,
    feature: Feature<Local, Action>,
    qos: DispatchQoS = .unspecified
  ) -> StoreObject<(State, Local), Action> {
    root.childStore(initialState: initialState, feature: feature, qos: qos)!
  }
}
