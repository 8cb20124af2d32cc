public import struct Foundation.UUID

/// The identity and the extent of a log, which a client receives when it connects.
public struct LogDescription: Hashable, Sendable {
  /// The identity. Another log in the same place has a different one.
  public let id: UUID

  /// The version of the reducer with which all clients reduce the log's actions.
  public let reducerVersion: Int

  /// The position of the last action; 0 if there is none.
  public let end: Int

  /// The position up to which actions were removed; 0 if none were.
  public let compactedEnd: Int

  /// The client's last number in the log; 0 if it hasn't sent anything.
  public let lastNumber: Int

  /// The time for which a client counts as connected after its last note.
  public let lease: Duration

  /// Makes a description.
  ///
  /// - Parameters:
  ///   - id: The identity of the log.
  ///   - reducerVersion: The version of the reducer with which all clients reduce the log's actions.
  ///   - end: The position of the last action; 0 if there is none.
  ///   - compactedEnd: The position up to which actions were removed; 0 if none were.
  ///   - lastNumber: The client's last number in the log; 0 if it hasn't sent anything.
  ///   - lease: The time for which a client counts as connected after its last note.
  public init(id: UUID, reducerVersion: Int, end: Int, compactedEnd: Int, lastNumber: Int, lease: Duration) {
    self.id = id
    self.reducerVersion = reducerVersion
    self.end = end
    self.compactedEnd = compactedEnd
    self.lastNumber = lastNumber
    self.lease = lease
  }
}
