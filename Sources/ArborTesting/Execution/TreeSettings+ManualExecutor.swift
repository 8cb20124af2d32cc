public import Arbor

extension TreeSettings {
  /// Makes the settings of a tree whose work a test runs step by step.
  ///
  /// - Otherwise like ``/Arbor/TreeSettings/init(name:clock:monitors:onEffectError:)``. Once the executor is released,
  ///   the tree continues on its queue.
  /// - Parameters:
  ///   - name: The name of the root in logs, traces, recordings and reports. Without it, the name of its state's type.
  ///   - clock: The clock of delays: a ``TestClock`` or an ``ImmediateClock``. By default real time passes.
  ///   - monitors: Receive what happens in the tree.
  ///   - onEffectError: Receives each error that an effect's task throws. Without it, standard error receives one line.
  ///   - executor: The executor that runs the tree's work.
  public init(
    name: String? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    monitors: [any StoreMonitor] = [],
    onEffectError: (
      @Sendable (_ key: (any Hashable & Sendable)?, _ action: (any Sendable)?, _ error: any Error) -> Void
    )? = nil,
    executor: ManualExecutor
  ) {
    self.init(
      name: name,
      clock: clock,
      monitors: monitors,
      onEffectError: onEffectError,
      executor: executor.schedule
    )
  }
}
