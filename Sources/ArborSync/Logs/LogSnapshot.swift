public import struct Foundation.Data

/// The confirmed state at a position of a log. A client that starts with it needs no action up to that position.
public struct LogSnapshot: Hashable, Codable, Sendable {
  /// The position of the last action that is included in the state.
  public let position: Int

  /// The last number of each client up to the position. With it, a client finds out which of its waiting actions are included.
  ///
  /// - It has an entry for each outbox that has ever sent anything, because the outbox may come back; each takes a few dozen
  ///   bytes.
  public let numbers: [LogClient: Int]

  /// The version of the type of the state.
  public let version: Int

  /// The encoded state.
  public let bytes: Data

  /// Makes a snapshot.
  ///
  /// - Parameters:
  ///   - position: The position of the last action that is included in the state; 0 for none.
  ///   - numbers: The last number, up to the position, of each client that has sent anything.
  ///   - version: The version of the type of the state.
  ///   - bytes: The encoded state.
  public init(position: Int, numbers: [LogClient: Int], version: Int, bytes: Data) {
    self.position = position
    self.numbers = numbers
    self.version = version
    self.bytes = bytes
  }

  /// Throws if the snapshot cannot belong to a log with this end.
  ///
  /// - Parameter end: The position of the log's last action.
  func check(end: Int) throws(LogError) {
    guard 0...end ~= position else { throw .refused("a snapshot of position \(position)") }
    guard version >= 0, numbers.values.allSatisfy({ $0 >= 0 }) else {
      throw .refused("a snapshot of version \(version) with a number below 0")
    }
  }
}
