public import struct Foundation.Data

/// The confirmed state at a position of a log: who begins with it needs no action up to there.
public struct LogSnapshot: Hashable, Codable, Sendable {
  /// The position of the last action that the state has in it.
  public let position: Int

  /// The last number up to there of each client, by which one finds which of its waiting actions the state has in it.
  ///
  /// - One of each outbox that has ever sent anything, as it may come back: some tens of bytes.
  public let numbers: [LogClient: Int]

  /// The version of the type of the state.
  public let version: Int

  /// The encoded state.
  public let bytes: Data

  /// Makes a snapshot.
  ///
  /// - Parameters:
  ///   - position: The position of the last action that the state has in it; 0 for none.
  ///   - numbers: The last number up to there of each client that has sent anything.
  ///   - version: The version of the type of the state.
  ///   - bytes: The encoded state.
  public init(position: Int, numbers: [LogClient: Int], version: Int, bytes: Data) {
    self.position = position
    self.numbers = numbers
    self.version = version
    self.bytes = bytes
  }

  /// Throws if the snapshot can be of no moment of a log.
  ///
  /// - Parameter end: The position of the log's last action.
  func check(end: Int) throws(LogError) {
    guard 0...end ~= position else { throw .refused("a snapshot of position \(position)") }
    guard version >= 0, numbers.values.allSatisfy({ $0 >= 0 }) else {
      throw .refused("a snapshot of version \(version) with a number below 0")
    }
  }
}
