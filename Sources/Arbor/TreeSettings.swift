/// The settings of a tree: its root's name, its clock, its monitors, and the receiver of its effects' errors.
///
/// ```swift
/// let settings = TreeSettings(name: "App", monitors: [log]) { key, action, error in
///   print("\(error)")
/// }
/// let factory = StoreFactory(initialState: AppState(), feature: app, settings: settings)
/// ```
///
/// You can use the same settings for several trees if each of their monitors allows it. A `Recorder` records the first
/// tree only, and a monitor that saves stops the program at a second one.
public struct TreeSettings: Sendable {
  @usableFromInline package let name: String?
  @usableFromInline package let clock: any Clock<Duration>
  @usableFromInline package let monitors: [any StoreMonitor]
  @usableFromInline
  let onEffectError: (@Sendable ((any Hashable & Sendable)?, (any Sendable)?, any Error) -> Void)?
  @usableFromInline package let executor: any TreeExecutor

  /// Makes the settings of a tree.
  ///
  /// - Parameters:
  ///   - name: The name of the root in logs, traces, recordings and reports. Without it, the name of its state's type.
  ///   - clock: The clock for delivery intervals, debounce, throttle and backoff delays, and for the times in monitors.
  ///   - monitors: Receive the tree's events; see ``StoreMonitor``.
  ///   - onEffectError: Receives each error that the task of an effect throws, in the root or in a child, and that
  ///     neither its feature nor a ``StateEffect`` handles: the task's key, the action that started the task (nil for a
  ///     ``StateEffect``), and the error. An action of a child with its own action type arrives as the root's action. For
  ///     a ``StateEffect`` that is retried, it receives only the error of the last attempt. Called on any thread. Without it, the
  ///     error is printed to standard error as one line.
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
    self.name = name
    self.clock = clock
    self.monitors = monitors
    self.onEffectError = onEffectError
    self.executor = executor
  }
}
