public import Arbor
public import Dispatch

extension StoreFactory {
  /// Makes a tree whose work is run by hand; in all else as the factory's own initializer.
  ///
  /// - Parameters:
  ///   - initialState: The root's state at the start.
  ///   - name: The name of the root in logs, traces, recordings and reports. Without it, that of its state's type.
  ///   - interceptor: Sees each action before the reducers and cannot change it; side effects may start here.
  ///   - interceptors: Pass, replace or drop each action, in order, after `interceptor`.
  ///   - effects: Returns the effect of an action, with the new state.
  ///   - stateEffects: The effects of jobs that run while the state says so.
  ///   - qos: The quality of service of the tree's queue, on which it goes on once the executor is released.
  ///   - clock: The clock of delays: a ``TestClock`` or an ``ImmediateClock``. By default real time passes.
  ///   - onEffectError: Receives each error that an effect's task throws. Without it, standard error receives one line.
  ///   - monitors: Receive what happens in the tree.
  ///   - executor: The executor that runs the tree's work.
  ///   - reducer: Changes the state according to an action.
  public convenience init(
    initialState: State,
    name: String? = nil,
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
        name: name,
        qos: qos,
        clock: clock,
        onEffectError: onEffectError,
        monitors: monitors,
        executor: executor.schedule
      )
    )
  }

  /// Makes a tree that does what a feature says, and whose work is run by hand; in all else as the factory's own initializer.
  ///
  /// - Parameters:
  ///   - initialState: The root's state at the start.
  ///   - name: The name of the root in logs, traces, recordings and reports. Without it, that of its state's type.
  ///   - feature: Everything that the root does.
  ///   - qos: The quality of service of the tree's queue, on which it goes on once the executor is released.
  ///   - clock: The clock of delays: a ``TestClock`` or an ``ImmediateClock``. By default real time passes.
  ///   - onEffectError: Receives each error that an effect's task throws. Without it, standard error receives one line.
  ///   - monitors: Receive what happens in the tree.
  ///   - executor: The executor that runs the tree's work.
  public convenience init(
    initialState: State,
    name: String? = nil,
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
        name: name,
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
  ///
  /// - Parameters:
  ///   - initialState: The state before the first commit.
  ///   - name: The name of the root in logs, traces, recordings and reports. Without it, that of its state's type.
  ///   - interceptor: Sees each mutation and may dispatch others; it passes all.
  ///   - interceptors: Judge each mutation, in order.
  ///   - effects: Returns the effect of a mutation, with the new state.
  ///   - stateEffects: The effects that follow the state.
  ///   - qos: The quality of service of the tree's queue, on which it goes on once the executor is released.
  ///   - clock: The clock of delays: a ``TestClock`` or an ``ImmediateClock``. By default real time passes.
  ///   - onEffectError: Receives each error that an effect's task throws. Without it, standard error receives one line.
  ///   - monitors: Receive what happens in the tree.
  ///   - executor: The executor that runs the tree's work.
  ///   - middleware: A reducer that runs after each commit that succeeded, in the same step; nil if there is none.
  public convenience init(
    initialState: State,
    name: String? = nil,
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
        name: name,
        qos: qos,
        clock: clock,
        onEffectError: onEffectError,
        monitors: monitors,
        executor: executor.schedule
      )
    )
  }

  /// Makes a tree that is changed by commits, does what a feature says, and whose work is run by hand.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first commit.
  ///   - name: The name of the root in logs, traces, recordings and reports. Without it, that of its state's type.
  ///   - feature: Everything that the root does beside its commits; its reducer is the middleware.
  ///   - qos: The quality of service of the tree's queue, on which it goes on once the executor is released.
  ///   - clock: The clock of delays: a ``TestClock`` or an ``ImmediateClock``. By default real time passes.
  ///   - onEffectError: Receives each error that an effect's task throws. Without it, standard error receives one line.
  ///   - monitors: Receive what happens in the tree.
  ///   - executor: The executor that runs the tree's work.
  public convenience init(
    initialState: State,
    name: String? = nil,
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
        name: name,
        qos: qos,
        clock: clock,
        onEffectError: onEffectError,
        monitors: monitors,
        executor: executor.schedule
      )
    )
  }
}
