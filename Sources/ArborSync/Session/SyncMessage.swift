internal import Foundation

/// A message between the clients of a log.
enum SyncMessage: Codable, Sendable {
  /// The checksum of the confirmed state at a position, for those whose type of the state has the same version.
  case checksum(UInt64, position: Int, version: Int)

  /// A snapshot was written.
  case snapshot(position: Int)

  /// A message of a program: the name of its type, and its bytes.
  case passing(sender: LogClient, type: String, bytes: Data)
}

/// A message of a program, as it is sent to the root of the shared store.
struct PassingMessage: Sendable {
  let sender: LogClient
  let type: String
  let bytes: Data
}
