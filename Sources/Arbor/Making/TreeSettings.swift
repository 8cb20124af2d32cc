public import Dispatch

/// The settings of a tree.
@usableFromInline
package struct TreeSettings<Action: Sendable>: Sendable {
  /// The name of the root in logs and reports; nil for that of its state's type.
  @usableFromInline package let name: String?
  @usableFromInline package let qos: DispatchQoS
  @usableFromInline package let clock: any Clock<Duration>
  @usableFromInline let onEffectError: (@Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void)?
  @usableFromInline package let monitors: [any StoreMonitor]
  @usableFromInline package let executor: any TreeExecutor

  @inlinable
  package init(
    name: String? = nil,
    qos: DispatchQoS,
    clock: any Clock<Duration>,
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)?,
    monitors: [any StoreMonitor],
    executor: any TreeExecutor
  ) {
    self.name = name
    self.qos = qos
    self.clock = clock
    self.onEffectError = onEffectError
    self.monitors = monitors
    self.executor = executor
  }
}
