/// The status of a shared store's syncing with its log.
public struct SyncStatus: Hashable, Sendable {
  /// The connection to the log.
  public enum Connection: Hashable, Sendable {
    /// The log hasn't answered yet.
    case connecting

    /// The last call to the log succeeded.
    case connected

    /// The last attempt to reach the log or the outbox failed, for this reason. The client tries again.
    case down(String)

    /// Syncing has stopped: nothing is sent or received. Waiting actions stay in the outbox.
    case stopped(SyncStop)

    /// `true` unless the log couldn't be reached or syncing has stopped.
    var mayGoOn: Bool { self == .connecting || self == .connected }

    var stopReason: SyncStop? {
      if case .stopped(let reason) = self { reason } else { nil }
    }
  }

  /// The connection to the log.
  public var connection: Connection

  /// The number of the client's own actions that are shown but not confirmed.
  public var waiting: Int

  /// The position of the last action in the confirmed state.
  public var position: Int

  /// The number of actions that are known to be in the log, but aren't in the confirmed state yet.
  public var behind: Int

  /// Makes a status, for previews and tests.
  ///
  /// - Parameters:
  ///   - connection: The connection to the log.
  ///   - waiting: The number of the client's own actions that are shown but not confirmed.
  ///   - position: The position of the last action in the confirmed state; 0 if it has none.
  ///   - behind: The number of actions that are known to be in the log, but aren't in the confirmed state yet.
  public init(connection: Connection = .connecting, waiting: Int = 0, position: Int = 0, behind: Int = 0) {
    (self.connection, self.waiting, self.position, self.behind) = (connection, waiting, position, behind)
  }

  /// `true` if the last call to the log succeeded.
  public var isConnected: Bool { connection == .connected }

  /// `true` if the last call to the log succeeded, and the confirmed state includes all actions known to be in the log.
  public var isCaughtUp: Bool { isConnected && behind == 0 }

  /// The reason why syncing has stopped; nil if it hasn't.
  public var stop: SyncStop? { connection.stopReason }
}

/// The reason why a shared store has stopped syncing with its log.
///
/// Nothing is erased, so an updated program can continue. The waiting actions stay in the outbox. The confirmed state is still
/// shown, unless another version of the reducer has made it, or it cannot be read.
public enum SyncStop: Error, Hashable, Sendable {
  /// Another log is in the place of the store's log, or there is none at all.
  case anotherLog

  /// The log ends before the position that this client has read, because the log was restored to an older state.
  case olderLog(end: Int, read: Int)

  /// The log belongs permanently to another version of the reducer. This version needs another log.
  case otherReducer(log: Int, own: Int)

  /// An action or a snapshot has a version that this program doesn't know.
  case unknownVersion(Int, position: Int)

  /// An action or a snapshot cannot be read.
  case unreadable(position: Int, reason: String)

  /// An action or a snapshot differs from the one that was given to the log. The log, or a layer in front of it, has changed
  /// it.
  case altered(position: Int)

  /// Another client has a different state at a position, so the reducer had different results for the same actions.
  ///
  /// The next start reads the confirmed state from the log again. That fixes a hardware error, unless a snapshot already
  /// contains it.
  case diverged(position: Int)

  /// The process ended while it reduced the action at a position, or its own waiting actions on top of it, for example
  /// because a reducer trapped.
  ///
  /// This start doesn't reduce that action, or anything on top of it. It shows the previously confirmed state, with the
  /// waiting actions.
  ///
  /// - The next start tries it once more, because something else may have ended the process. If the process ends there again,
  ///   only an updated program tries again, whose reducer may accept the action.
  case ended(position: Int)

  /// The process ended at a start while it reduced the waiting action with this number. The action is stored, but not shown.
  ///
  /// - Later starts try it again under the same rule as for ``ended(position:)``.
  case endedByWaiting(Int)

  /// The outbox is a copy or was restored from one. For this many waiting actions, the client cannot find out if the log has
  /// them.
  case copiedOutbox(actions: Int)

  /// The log has refused a call.
  case refused(String)

  /// The state, or one of the client's own actions, cannot be encoded.
  case cannotEncode(String)
}

extension SyncStop: CustomStringConvertible {
  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .anotherLog: "the log of this store is gone, or another log has taken its place"
    case .olderLog(let end, let read): "the log ends at position \(end), but was read up to \(read)"
    case .otherReducer(let log, let own): "the log is reduced by version \(log) of the reducer, not \(own)"
    case .unknownVersion(let version, let position): "position \(position) has the unknown version \(version)"
    case .unreadable(let position, let reason): "position \(position) cannot be read: \(reason)"
    case .altered(let position): "the content of position \(position) differs from what was sent to the log"
    case .diverged(let position): "another client has a different state at position \(position)"
    case .ended(let position):
      "the process ended while it reduced position \(position), or waiting actions on top of it"
    case .endedByWaiting(let number): "the process ended while it reduced this client's waiting action \(number)"
    case .copiedOutbox(let count):
      "the outbox is a copy, and it is unknown whether \(count) of its actions are in the log"
    case .refused(let reason): "the log refused the call: \(reason)"
    case .cannotEncode(let reason): "an action or the state cannot be encoded: \(reason)"
    }
  }
}
