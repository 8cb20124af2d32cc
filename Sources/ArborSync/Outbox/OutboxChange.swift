package import Foundation

/// A change of what an outbox keeps: an action of its journal.
package enum OutboxChange: Codable, Sendable {
  /// An own action was shown.
  case added(Data, version: Int)

  /// Own actions up to a number are sent from now on.
  case attempted(Int)

  /// The confirmed state that was kept is of no use: it cannot be read, another version of the reducer has made it, or another
  /// client has another one. All of it comes from the log again.
  case forgot(reducerVersion: Int)

  /// Another client has another confirmed state.
  case diverged

  /// The log was found.
  case joined(UUID)

  /// Actions of the log are confirmed. The jobs in progress are those of these clients.
  case confirmed([LoggedAction], jobs: [String: UInt64])

  /// The confirmed state is that of a snapshot.
  case began(LogSnapshot, jobs: [String: UInt64])

  /// Waiting actions behind the last number that the log has are those of another incarnation. Others may have sent actions
  /// with the numbers of before, if it is a copy.
  case wentOn(as: LogClient, behind: Int, isCopied: Bool)
}
