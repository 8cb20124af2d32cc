public import Dispatch

/// The behavior of a node beside its reducer: its interceptors, and the effects that its actions and its state start.
@usableFromInline
package struct NodeBehavior<State: Sendable, Action: Sendable>: Sendable {
  @usableFromInline let interceptor: (@Sendable (Action, @escaping @Sendable (Action) -> Void) -> Void)?
  @usableFromInline let interceptors: [Interceptor<State, Action>]
  @usableFromInline let effects: (@Sendable (State, Action) -> Effect<Action>)?
  @usableFromInline let stateEffects: [StateEffect<State, Action>]

  @inlinable
  package init(
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)?,
    interceptors: [Interceptor<State, Action>],
    effects: (@Sendable (_ state: State, _ action: Action) -> Effect<Action>)?,
    stateEffects: [StateEffect<State, Action>]
  ) {
    self.interceptor = interceptor
    self.interceptors = interceptors
    self.effects = effects
    self.stateEffects = stateEffects
  }
}

/// The settings of a tree.
@usableFromInline
package struct TreeSettings<Action: Sendable>: Sendable {
  @usableFromInline let qos: DispatchQoS
  @usableFromInline let clock: any Clock<Duration>
  @usableFromInline let onEffectError: (@Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void)?
  @usableFromInline let monitors: [any StoreMonitor]
  @usableFromInline let executor: any TreeExecutor

  @inlinable
  package init(
    qos: DispatchQoS,
    clock: any Clock<Duration>,
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)?,
    monitors: [any StoreMonitor],
    executor: any TreeExecutor
  ) {
    self.qos = qos
    self.clock = clock
    self.onEffectError = onEffectError
    self.monitors = monitors
    self.executor = executor
  }
}
