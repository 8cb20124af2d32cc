public import struct Foundation.Data

/// An action with its position in a log.
public struct LoggedAction: Hashable, Codable, Sendable {
  /// The position, starting at 1.
  public let position: Int

  /// The sender.
  public let client: LogClient

  /// The number that the sender has given the action, starting at 1.
  public let number: Int

  /// The version of the type of the action.
  public let version: Int

  /// The encoded action.
  public let bytes: Data

  /// Makes an action with its position.
  ///
  /// - Parameters:
  ///   - position: The position, starting at 1.
  ///   - client: The sender.
  ///   - number: The number that the sender has given the action, starting at 1.
  ///   - version: The version of the type of the action.
  ///   - bytes: The encoded action.
  public init(position: Int, client: LogClient, number: Int, version: Int, bytes: Data) {
    self.position = position
    self.client = client
    self.number = number
    self.version = version
    self.bytes = bytes
  }
}

/// Actions that a client sends together, in order.
public struct ActionBatch: Hashable, Sendable {
  /// The sender.
  public let client: LogClient

  /// The sender's number of the first action. The others follow without gaps.
  public let first: Int

  /// The version of the type of the actions.
  public let version: Int

  /// The encoded actions.
  public let actions: [Data]

  /// Makes a batch.
  ///
  /// - Parameters:
  ///   - client: The sender.
  ///   - first: The sender's number of the first action, starting at 1.
  ///   - version: The version of the type of the actions.
  ///   - actions: The encoded actions, in order.
  public init(of client: LogClient, first: Int, version: Int, _ actions: [Data]) {
    self.client = client
    self.first = first
    self.version = version
    self.actions = actions
  }

  /// Returns the actions of the batch that aren't in a log yet, with the positions after its end.
  ///
  /// - Parameters:
  ///   - last: The client's last number in the log; 0 if there is none.
  ///   - end: The position of the log's last action.
  /// - Throws: ``LogError/missingActions(after:)`` if the batch doesn't follow `last`; ``LogError/refused(_:)`` for an invalid
  ///   number or version.
  package func placed(behind last: Int, end: Int) throws(LogError) -> [LoggedAction] {
    guard first > 0, version >= 0 else {
      throw .refused("a batch of version \(version) whose first action has the number \(first)")
    }
    // Compared in this order, the sum cannot overflow.
    guard first - 1 <= last else { throw .missingActions(after: last) }
    return actions.dropFirst(last - (first - 1)).enumerated().map { index, bytes in
      LoggedAction(
        position: end + 1 + index,
        client: client,
        number: last + 1 + index,
        version: version,
        bytes: bytes
      )
    }
  }
}
