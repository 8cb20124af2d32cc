internal import Arbor

/// A change that the server has not confirmed.
public struct PendingChange: Identifiable, Equatable, Codable, Sendable {
  /// The states of a change.
  public enum Status: Equatable, Codable, Sendable {
    /// It waits for the connection, or for an earlier change of the same record.
    case waiting

    /// It is being sent.
    case sending

    /// The server confirmed it, and its caller has not received the result yet.
    case confirmed(RequestValue)

    /// It failed. Without a caller, it stays until ``RequestAction/retryChange(_:)`` or
    /// ``RequestAction/cancelChange(_:)``.
    case failed(RequestFailure)
  }

  /// The key for idempotency, which is unique.
  public let id: String

  /// The name of the change.
  public let name: String

  /// The input of the change.
  public internal(set) var input: RequestValue

  /// `true` if a caller waits for the result.
  var isAwaited: Bool

  /// The state of the change.
  public internal(set) var status = Status.waiting

  /// The reason why it failed; nil if it has not failed.
  public var failure: RequestFailure? { if case .failed(let failure) = status { failure } else { nil } }

  /// The attempts to send it.
  var job = JobState()

  init(id: String, name: String, input: RequestValue, isAwaited: Bool) {
    self.id = id
    self.name = name
    self.input = input
    self.isAwaited = isAwaited
  }

  /// The identity of the call that sends it.
  var call: RequestID { RequestID(name: name, argument: input.text ?? "not JSON: \(input)") }

  /// Returns the change as it continues in another run, without its caller; nil if it was confirmed.
  var restored: PendingChange? {
    var change = PendingChange(id: id, name: name, input: input, isAwaited: false)
    switch status {
    case .waiting, .sending: break
    case .failed: change.status = status
    case .confirmed: return nil
    }
    return change
  }

  /// The server's answer; nil while there is none.
  ///
  /// - Throws: The failure of the change.
  var output: RequestValue? {
    get throws {
      switch status {
      case .waiting, .sending: nil
      case .confirmed(let output): output
      case .failed(let failure): throw failure
      }
    }
  }

  /// `true` if observers see its optimistic part.
  var isPending: Bool {
    switch status {
    case .waiting, .sending: true
    case .confirmed, .failed: false
    }
  }
}
