/// The state of a shared store's work with its log.
public struct SyncStatus: Hashable, Sendable {
  /// The connection to the log.
  public enum Connection: Hashable, Sendable {
    /// The log has not answered yet.
    case connecting

    /// The log has answered last time.
    case connected

    /// The log, or the outbox, could not be reached last time, for this reason. It is tried again.
    case down(String)

    /// Nothing is sent and nothing comes any more. What waits is kept.
    case stopped(SyncStop)

    /// `true` unless the log could not be reached, or nothing is sent any more.
    var mayGoOn: Bool { self == .connecting || self == .connected }

    var stopReason: SyncStop? {
      if case .stopped(let reason) = self { reason } else { nil }
    }
  }

  /// The connection to the log.
  public var connection: Connection

  /// The number of own actions that are shown and not confirmed.
  public var waiting: Int

  /// The position of the last action in the confirmed state.
  public var position: Int

  /// The number of actions that are known to be in the log, and are not in the confirmed state yet.
  public var behind: Int

  /// Makes a status, for previews and tests of what shows it.
  ///
  /// - Parameters:
  ///   - connection: The connection to the log.
  ///   - waiting: The number of own actions that are shown and not confirmed.
  ///   - position: The position of the last action in the confirmed state; 0 if it has none.
  ///   - behind: The number of actions that are known to be in the log, and are not in the confirmed state yet.
  public init(connection: Connection = .connecting, waiting: Int = 0, position: Int = 0, behind: Int = 0) {
    (self.connection, self.waiting, self.position, self.behind) = (connection, waiting, position, behind)
  }

  /// `true` if the log has answered last time.
  public var isConnected: Bool { connection == .connected }

  /// `true` if the log has answered last time, and the confirmed state has all actions that are known to be in it.
  public var isCaughtUp: Bool { isConnected && behind == 0 }

  /// The reason why nothing is sent and nothing comes any more; nil if that is not so.
  public var stop: SyncStop? { connection.stopReason }
}

/// The reason for which a shared store has left its log. Nothing is erased: what waits is kept in the outbox, and what was
/// confirmed is shown, unless another version of the reducer has made it, or it cannot be read; so a renewed program can go on.
public enum SyncStop: Error, Hashable, Sendable {
  /// Another log is where the store's was, or none at all.
  case anotherLog

  /// The log ends before what this client has read of it: it was brought back to an older state.
  case olderLog(end: Int, read: Int)

  /// The clients of the log reduce by another version of the reducer, for good: it takes another log.
  case otherReducer(log: Int, own: Int)

  /// An action, or a snapshot, is of a version that this program does not know.
  case unknownVersion(Int, position: Int)

  /// An action, or a snapshot, cannot be read.
  case unreadable(position: Int, reason: String)

  /// An action, or a snapshot, is not as it was given to the log: the log, or something before it, changes what it keeps.
  case altered(position: Int)

  /// Another client has another state at a position: the reducer has not made the same of the same actions. The next start
  /// takes the confirmed state from the log again, which mends what was changed by an error of the machine, unless a snapshot
  /// has it already.
  case diverged(position: Int)

  /// The process ended while it reduced the action of a position, or own actions on top of it, as it does where a reducer
  /// traps. This start reduces neither; what was confirmed before is shown, with what waits.
  ///
  /// - The next start tries it once more, for something else may have ended the process. If it ends there again, only
  ///   another program does: a renewed one, whose reducer takes the action.
  case ended(position: Int)

  /// The process ended while it reduced an own action that waits, by its number, at a start. It is kept, and is not shown.
  ///
  /// - It is tried again as ``ended(position:)`` is.
  case endedByWaiting(Int)

  /// The outbox is a copy, or was brought back from one: of so many actions that wait it cannot be found out any more whether
  /// the log has them.
  case copiedOutbox(actions: Int)

  /// The log has refused what was asked of it.
  case refused(String)

  /// An own action, or the state, cannot be encoded.
  case cannotEncode(String)
}

extension SyncStop: CustomStringConvertible {
  /// The reason, as a sentence.
  public var description: String {
    switch self {
    case .anotherLog: "the log of this store is gone, or another one is in its place"
    case .olderLog(let end, let read): "the log ends at position \(end), and was read up to \(read)"
    case .otherReducer(let log, let own): "the log is reduced by version \(log) of the reducer, and not \(own)"
    case .unknownVersion(let version, let position): "at position \(position) stands the unknown version \(version)"
    case .unreadable(let position, let reason): "position \(position) cannot be read: \(reason)"
    case .altered(let position): "position \(position) is not as it was given to the log"
    case .diverged(let position): "another client has another state at position \(position)"
    case .ended(let position): "the process ended while it reduced position \(position), or what waits on top of it"
    case .endedByWaiting(let number): "the process ended while it reduced the own action \(number), which waits"
    case .copiedOutbox(let count):
      "the outbox is a copy of another one, and \(count) of its actions may be in the log or not"
    case .refused(let reason): "the log has refused what was asked: \(reason)"
    case .cannotEncode(let reason): "an action, or the state, cannot be encoded: \(reason)"
    }
  }
}
