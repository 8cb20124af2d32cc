package import ArborSync

/// The state of the work with the log, for the screen and the lines.
package struct Standing: Equatable, Sendable {
  /// The connection to the log.
  package enum Connection: Equatable, Sendable {
    case connecting
    case connected

    /// The log cannot be reached, for this reason. The store tries again.
    case offline(String)

    /// The work has stopped, for this reason. Nothing is sent or read any more.
    case stopped(String)
  }

  package var connection = Connection.connecting

  /// The number of own changes that aren't confirmed.
  package var waiting = 0

  /// The position of the last read action.
  package var position = 0

  /// The number of known actions in the log that haven't been read yet.
  package var behind = 0

  package init() {}

  package init(_ status: SyncStatus) {
    connection =
      switch status.connection {
      case .connecting: .connecting
      case .connected: .connected
      case .down(let reason): .offline(reason)
      case .stopped(let stop): .stopped("\(stop)")
      }
    waiting = status.waiting
    position = status.position
    behind = status.behind
  }

  /// `true` if the log has answered, and nothing is pending in either direction.
  package var isCaughtUp: Bool { connection == .connected && waiting == 0 && behind == 0 }

  /// The reason why nothing is sent or read any more; nil if the work continues.
  package var stopReason: String? {
    if case .stopped(let reason) = connection { reason } else { nil }
  }

  /// The connection to the log in one word, the pending changes, and the position.
  package var summary: [String] {
    let word =
      switch connection {
      case .connecting: "connecting"
      case .connected: "connected"
      case .offline: "offline"
      case .stopped: "stopped"
      }
    return [word] + (behind > 0 ? ["\(behind) unread"] : [])
      + ["\(waiting) waiting", "position \(position)"]
  }
}
