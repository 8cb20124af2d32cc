extension TreeSettings {
  /// Makes the settings of a tree, with a clock, monitors and an error handler.
  ///
  /// - Parameters:
  ///   - name: The name of the root in logs, traces, recordings and reports. If nil, they use the name of its state's
  ///     type.
  ///   - clock: The clock for delivery intervals, debounce, throttle and backoff delays, and for the times in monitors.
  ///   - monitors: Receive the tree's events; see ``StoreMonitor``.
  ///   - onEffectError: Receives each error that the task of an effect throws, in the root or in a child, if neither
  ///     its feature nor a ``StateEffect`` handles it. Its arguments are the task's key, the action that started the
  ///     task (nil for a ``StateEffect``), and the error. An action of a child with its own action type arrives as the
  ///     root's action. If a ``StateEffect`` is retried, it receives only the error of the last attempt. Called on any
  ///     thread. If nil, the error is printed to standard error as one line.
  @inlinable
  public init(
    name: String? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    monitors: [any StoreMonitor] = [],
    onEffectError: (
      @Sendable (_ key: (any Hashable & Sendable)?, _ action: (any Sendable)?, _ error: any Error) -> Void
    )? = nil
  ) {
    self.init(
      name: name,
      clock: clock,
      monitors: monitors,
      onEffectError: onEffectError,
      executor: QueueExecutor()
    )
  }

  @inlinable
  package init(
    name: String? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    monitors: [any StoreMonitor] = [],
    onEffectError: (
      @Sendable (_ key: (any Hashable & Sendable)?, _ action: (any Sendable)?, _ error: any Error) -> Void
    )? = nil,
    executor: any TreeExecutor
  ) {
    self.init(
      name: name,
      clock: clock,
      listenerMaker: monitors.isEmpty ? nil : MonitoringMaker(monitors),
      onEffectError: onEffectError,
      executor: executor
    )
  }

  /// The monitors of the tree.
  package var monitors: [any StoreMonitor] { (listenerMaker as? MonitoringMaker)?.all ?? [] }
}

/// Makes the monitoring of each tree with the same settings.
@usableFromInline
struct MonitoringMaker: ListenerMaker {
  let all: [any StoreMonitor]

  @usableFromInline
  init(_ all: [any StoreMonitor]) {
    self.all = all
  }

  @usableFromInline
  func makeListener(clock: any Clock<Duration>) -> any StoreListener { Monitoring(all, clock: clock) }
}
