#if canImport(os)
  public import Arbor
  public import os

  /// Marks each action in Instruments when its step is done, with its store and its times.
  ///
  /// ```swift
  /// let signposter = OSSignposter(subsystem: "com.example.app", category: "actions")
  /// let settings = TreeSettings(monitors: [SignpostMonitor(signposter)])
  /// ```
  public final class SignpostMonitor: StoreMonitor {
    private let signposter: OSSignposter

    /// Makes a monitor that emits its events with a signposter.
    public init(_ signposter: OSSignposter) {
      self.signposter = signposter
    }

    /// Emits an event. It costs almost nothing when no recording runs.
    public func monitor(_ record: borrowing ActionRecord) {
      guard signposter.isEnabled, let times = record.times else { return }
      let store = record.action.store.description
      let waited = DurationText.of(times.waited.nanoseconds)
      let reduced = DurationText.of(times.reduced.nanoseconds)
      let delivered = DurationText.of(times.delivered.nanoseconds)
      signposter.emitEvent(
        "Action",
        "\(store): waited \(waited), reduced \(reduced), delivered \(delivered)"
      )
    }
  }
#endif
