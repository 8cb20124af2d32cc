public import Dispatch

extension StoreFactory {
  /// Makes a child of the root, like
  /// ``StoreProtocol/childStore(initialState:stateMapping:interceptor:interceptors:effects:stateEffects:qos:reducer:)``.
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
  @inlinable
  public func childStore<Local: Sendable>(
    initialState: Local,
    feature: Feature<Local, Action>,
    qos: DispatchQoS = .unspecified
  ) -> StoreObject<(State, Local), Action> {
    root.childStore(initialState: initialState, feature: feature, qos: qos)!
  }
}
