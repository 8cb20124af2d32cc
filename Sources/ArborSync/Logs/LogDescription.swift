public import Foundation

/// What a log is, and how far it goes, as a client finds it.
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

  /// How long a client counts as connected after it was heard of last.
  public let lease: Duration

  /// Makes a description.
  public init(id: UUID, reducerVersion: Int, end: Int, compactedEnd: Int, lastNumber: Int, lease: Duration) {
    self.id = id
    self.reducerVersion = reducerVersion
    self.end = end
    self.compactedEnd = compactedEnd
    self.lastNumber = lastNumber
    self.lease = lease
  }
}

/// The confirmed state at a position of a log: who begins with it needs no action up to there.
public struct LogSnapshot: Hashable, Sendable {
  /// The position of the last action that the state has in it.
  public let position: Int

  /// The last number up to there of each client, by which one finds which of its waiting actions the state has in it.
  public let numbers: [LogClient: Int]

  /// The version of the type of the state.
  public let version: Int

  /// The encoded state.
  public let bytes: Data

  /// Makes a snapshot.
  public init(position: Int, numbers: [LogClient: Int], version: Int, bytes: Data) {
    self.position = position
    self.numbers = numbers
    self.version = version
    self.bytes = bytes
  }
}
