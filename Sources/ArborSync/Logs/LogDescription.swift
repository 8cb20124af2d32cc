public import struct Foundation.UUID

/// The identity and the extent of a log, as a client finds them.
public struct LogDescription: Hashable, Sendable {
  /// The identity: another log in the same place has another one.
  public let id: UUID

  /// The version of the reducer by which all clients reduce its actions.
  public let reducerVersion: Int

  /// The position of the last action; 0 if there is none.
  public let end: Int

  /// The position up to which actions were removed; 0 if all are there.
  public let compactedEnd: Int

  /// The client's last number in the log; 0 if it has sent nothing.
  public let lastNumber: Int

  /// The time for which a client counts as connected after it was heard of last.
  public let lease: Duration

  /// Makes a description.
  ///
  /// - Parameters:
  ///   - id: The identity of the log.
  ///   - reducerVersion: The version of the reducer by which all clients reduce its actions.
  ///   - end: The position of the last action; 0 if there is none.
  ///   - compactedEnd: The position up to which actions were removed; 0 if all are there.
  ///   - lastNumber: The client's last number in the log; 0 if it has sent nothing.
  ///   - lease: The time for which a client counts as connected after it was heard of last.
  public init(id: UUID, reducerVersion: Int, end: Int, compactedEnd: Int, lastNumber: Int, lease: Duration) {
    self.id = id
    self.reducerVersion = reducerVersion
    self.end = end
    self.compactedEnd = compactedEnd
    self.lastNumber = lastNumber
    self.lease = lease
  }
}
