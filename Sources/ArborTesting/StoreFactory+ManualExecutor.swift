public import Arbor
public import Dispatch

extension StoreFactory {
  /// Makes a tree whose work is run by hand; in all else as the factory's own initializer.
  public convenience init(
    initialState: State,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    interceptors: [Interceptor<State, Action>] = [],
    qos: DispatchQoS = .userInteractive,
    clock: any Clock<Duration> = ContinuousClock(),
    executor: ManualExecutor,
    reducer: @escaping Reducer<State, Action>
  ) {
    self.init(
      initialState: initialState,
      interceptors: Interceptor.list(interceptor, interceptors),
      qos: qos,
      clock: clock,
      executor: executor.schedule,
      reducer: reducer
    )
  }
}
