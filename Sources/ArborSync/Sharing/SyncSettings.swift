public import Arbor

/// The measures of a shared store's work with its log, which need not be the same for all clients.
public struct SyncSettings: Sendable {
  /// The greatest number of actions that are sent, or asked for, at once. Less than that is sent where it would be more than
  /// 4 MB, or where sending has failed.
  public var batch = 1000

  /// The time after which the log is asked for actions, if no hint has come; each hint may be lost.
  public var pollInterval = Duration.seconds(2)

  /// The time in which hints are gathered before the log is read, if nothing is to be sent: with many clients, each would
  /// otherwise read for each action of another one.
  public var gatherTime = Duration.milliseconds(5)

  /// The number of actions behind the last snapshot at which one is written, by a client whose action that is.
  public var snapshotInterval = 1000

  /// The positions at which the confirmed states are compared: all multiples of this.
  ///
  /// - It must be the same for all clients, or few are compared. With 0 none is.
  public var checksumInterval = 1000

  /// The delays before the log is asked again when it cannot be reached.
  public var backoff = EffectBackoff.exponential(initial: .milliseconds(100)).capped(at: .seconds(10))

  /// Makes the usual settings.
  public init() {}

  /// The shortest time after which the log is asked again without a cause, whatever the settings and the log's lease say.
  static let shortestRest = Duration.milliseconds(10)

  /// The same settings, with numbers that lead on.
  var usable: SyncSettings {
    var settings = self
    settings.batch = max(batch, 1)
    settings.snapshotInterval = max(snapshotInterval, 1)
    settings.checksumInterval = max(checksumInterval, 0)
    return settings
  }
}
