internal import Foundation

/// A message between the clients of a log.
enum SyncMessage: Codable, Sendable {
  /// The checksum of the confirmed state at a position of a log, for those whose type of the state has the same version.
  case checksum(UInt64, position: Int, log: UUID, version: Int)

  /// A snapshot was written to a log.
  case snapshot(position: Int, log: UUID)

  /// A message of a program: the name of its type, and its bytes.
  case passing(sender: LogClient, type: String, bytes: Data)
}

/// A message of a program, as it is sent to the root of the shared store.
struct PassingMessage: Sendable {
  let sender: LogClient
  let type: String
  let bytes: Data
}
