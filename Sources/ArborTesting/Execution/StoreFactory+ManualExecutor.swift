public import Arbor
public import Dispatch

extension StoreFactory {
  /// Makes a tree whose work is run by hand; in all else as the factory's own initializer.
  public convenience init(
    initialState: State,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    interceptors: [Interceptor<State, Action>] = [],
    effects: (@Sendable (_ state: State, _ action: Action) -> Effect<Action>)? = nil,
    stateEffects: [StateEffect<State, Action>] = [],
    qos: DispatchQoS = .userInteractive,
    clock: any Clock<Duration> = ContinuousClock(),
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)? =
      nil,
    monitors: [any StoreMonitor] = [],
    executor: ManualExecutor,
    reducer: @escaping Reducer<State, Action>
  ) {
    self.init(
      initialState: initialState,
      Feature(
        interceptor: interceptor,
        interceptors: interceptors,
        effects: effects,
        stateEffects: stateEffects,
        reducer: reducer
      ),
      TreeSettings(
        qos: qos,
        clock: clock,
        onEffectError: onEffectError,
        monitors: monitors,
        executor: executor.schedule
      )
    )
  }

  /// Makes a tree that does what a feature says, and whose work is run by hand; in all else as the factory's own initializer.
  public convenience init(
    initialState: State,
    feature: Feature<State, Action>,
    qos: DispatchQoS = .userInteractive,
    clock: any Clock<Duration> = ContinuousClock(),
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)? =
      nil,
    monitors: [any StoreMonitor] = [],
    executor: ManualExecutor
  ) {
    self.init(
      initialState: initialState,
      feature,
      TreeSettings(
        qos: qos,
        clock: clock,
        onEffectError: onEffectError,
        monitors: monitors,
        executor: executor.schedule
      )
    )
  }
}

extension StoreFactory where Action == Mutation<State> {
  /// Makes a tree that is changed by commits, and whose work is run by hand; in all else as the factory's own initializer.
  public convenience init(
    initialState: State,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    interceptors: [Interceptor<State, Action>] = [],
    effects: (@Sendable (_ state: State, _ action: Action) -> Effect<Action>)? = nil,
    stateEffects: [StateEffect<State, Action>] = [],
    qos: DispatchQoS = .userInteractive,
    clock: any Clock<Duration> = ContinuousClock(),
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)? =
      nil,
    monitors: [any StoreMonitor] = [],
    executor: ManualExecutor,
    middleware: Reducer<State, Action>? = nil
  ) {
    self.init(
      initialState: initialState,
      Feature(
        interceptor: interceptor,
        interceptors: interceptors,
        effects: effects,
        stateEffects: stateEffects,
        reducer: middleware
      ),
      commitsWith: TreeSettings(
        qos: qos,
        clock: clock,
        onEffectError: onEffectError,
        monitors: monitors,
        executor: executor.schedule
      )
    )
  }

  /// Makes a tree that is changed by commits, does what a feature says, and whose work is run by hand.
  public convenience init(
    initialState: State,
    feature: Feature<State, Action>,
    qos: DispatchQoS = .userInteractive,
    clock: any Clock<Duration> = ContinuousClock(),
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)? =
      nil,
    monitors: [any StoreMonitor] = [],
    executor: ManualExecutor
  ) {
    self.init(
      initialState: initialState,
      feature,
      commitsWith: TreeSettings(
        qos: qos,
        clock: clock,
        onEffectError: onEffectError,
        monitors: monitors,
        executor: executor.schedule
      )
    )
  }
}
