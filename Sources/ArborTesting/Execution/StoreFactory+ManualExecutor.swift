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
      NodeBehavior(
        interceptor: interceptor,
        interceptors: interceptors,
        effects: effects,
        stateEffects: stateEffects
      ),
      TreeSettings(
        qos: qos,
        clock: clock,
        onEffectError: onEffectError,
        monitors: monitors,
        executor: executor.schedule
      ),
      reducer: reducer
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
      NodeBehavior(
        interceptor: interceptor,
        interceptors: interceptors,
        effects: effects,
        stateEffects: stateEffects
      ),
      TreeSettings(
        qos: qos,
        clock: clock,
        onEffectError: onEffectError,
        monitors: monitors,
        executor: executor.schedule
      ),
      middleware: middleware
    )
  }
}
