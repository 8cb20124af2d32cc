public import struct Foundation.Data

/// An action in its place of a log.
public struct LoggedAction: Hashable, Codable, Sendable {
  /// The place, from 1 on.
  public let position: Int

  /// The sender.
  public let client: LogClient

  /// The sender's number of it, from 1 on.
  public let number: Int

  /// The version of the type of the action.
  public let version: Int

  /// The encoded action.
  public let bytes: Data

  /// Makes an action in its place.
  ///
  /// - Parameters:
  ///   - position: The place, from 1 on.
  ///   - client: The sender.
  ///   - number: The sender's number of the action, from 1 on.
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

  /// The sender's number of the first one; the others follow without gaps.
  public let first: Int

  /// The version of the type of the actions.
  public let version: Int

  /// The encoded actions.
  public let actions: [Data]

  /// Makes a batch.
  ///
  /// - Parameters:
  ///   - client: The sender.
  ///   - first: The sender's number of the first action, from 1 on.
  ///   - version: The version of the type of the actions.
  ///   - actions: The encoded actions, in order.
  public init(of client: LogClient, first: Int, version: Int, _ actions: [Data]) {
    self.client = client
    self.first = first
    self.version = version
    self.actions = actions
  }

  /// The actions of the batch that are not in a log yet, as they follow its end.
  ///
  /// - Parameters:
  ///   - last: The last number of the client that the log has; 0 if it has none.
  ///   - end: The position of the log's last action.
  /// - Throws: ``LogError/missingActions(after:)``.
  package func placed(behind last: Int, end: Int) throws(LogError) -> [LoggedAction] {
    guard first > 0, version >= 0 else {
      throw .refused("a batch of version \(version) whose first action has the number \(first)")
    }
    // In this order, no number is beyond those that there are.
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
