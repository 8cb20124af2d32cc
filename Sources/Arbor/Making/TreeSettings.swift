public import Dispatch

/// The settings of a tree.
@usableFromInline
package struct TreeSettings<Action: Sendable>: Sendable {
  @usableFromInline package let qos: DispatchQoS
  @usableFromInline package let clock: any Clock<Duration>
  @usableFromInline let onEffectError: (@Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void)?
  @usableFromInline package let monitors: [any StoreMonitor]
  @usableFromInline package let executor: any TreeExecutor

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
