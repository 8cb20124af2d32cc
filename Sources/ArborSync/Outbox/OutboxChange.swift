internal import Foundation

/// A change of what an outbox keeps: an action of its journal.
enum OutboxChange: Codable, Sendable {
  /// An own action was shown.
  case added(Data, version: Int)

  /// Own actions up to a number are sent from now on.
  case attempted(Int)

  /// The log was found.
  case joined(UUID)

  /// Actions of the log are confirmed. This client performs these jobs now.
  case confirmed([LoggedAction], jobs: Set<String>)

  /// The confirmed state is that of a snapshot.
  case began(LogSnapshot, jobs: Set<String>)

  /// Waiting actions that were never sent have the numbers of another incarnation.
  case renumbered(LogClient)

  /// Waiting actions from one on have the numbers of another incarnation.
  case renumberedFrom(Int, LogClient)
}
