package import Foundation

/// A change of an outbox's content: an action of its journal.
package enum OutboxChange: Codable, Sendable {
  /// The client has shown one of its own actions.
  case added(Data, version: Int)

  /// Own actions up to a number are sent from now on.
  case attempted(Int)

  /// The stored confirmed state is discarded, and read from the log again. It cannot be read, or another version of the reducer
  /// has made it, or another client has a different one.
  case forgot(reducerVersion: Int)

  /// Another client has a different confirmed state.
  case diverged

  /// The log was found.
  case joined(UUID)

  /// Actions of the log are confirmed. `jobs` are the owners of the jobs in progress.
  case confirmed([LoggedAction], jobs: [String: UInt64])

  /// A snapshot is the new confirmed state. `jobs` are the owners of the jobs in progress.
  case began(LogSnapshot, jobs: [String: UInt64])

  /// The client continues as another incarnation, which owns the waiting actions after the log's last number. If the outbox is
  /// a copy, other clients may have sent actions with the earlier numbers.
  case wentOn(as: LogClient, behind: Int, isCopied: Bool)
}
