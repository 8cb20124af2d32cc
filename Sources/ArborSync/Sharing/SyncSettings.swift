public import Arbor

/// The settings for syncing a shared store with its log.
///
/// ```swift
/// var settings = SyncSettings()
/// settings.snapshotInterval = 1_000
/// ```
///
/// Except for ``checksumInterval``, they may differ between clients.
public struct SyncSettings: Sendable {
  /// The maximum number of actions that are sent or read at once. Fewer are sent if they exceed 4 MB, or if sending has failed.
  public var batch = 1000

  /// The time after which the client reads the log without a hint, because hints may be lost.
  public var pollInterval = Duration.seconds(2)

  /// The time in which hints are collected before the log is read, if there is nothing to send.
  ///
  /// With many clients, each would otherwise read once for each action of the others.
  public var gatherTime = Duration.milliseconds(5)

  /// The number of actions since the last snapshot at which a client writes a new one, when its own action is confirmed.
  public var snapshotInterval = 1000

  /// The interval of the positions at which confirmed states are compared.
  ///
  /// - It must be the same for all clients; otherwise they compare few states. With 0, none are compared.
  public var checksumInterval = 1000

  /// The delays between attempts to reach the log.
  public var backoff = EffectBackoff.exponential(initial: .milliseconds(100)).capped(at: .seconds(10))

  /// Makes the default settings.
  public init() {}

  /// The shortest time before the log is called again without a cause, regardless of the settings and the log's lease.
  static let shortestRest = Duration.milliseconds(10)

  /// The same settings, with invalid numbers replaced.
  var usable: SyncSettings {
    var settings = self
    settings.batch = max(batch, 1)
    settings.snapshotInterval = max(snapshotInterval, 1)
    settings.checksumInterval = max(checksumInterval, 0)
    return settings
  }
}
