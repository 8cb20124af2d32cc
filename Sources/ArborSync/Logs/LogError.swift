public import Foundation

/// The error of an ordered log.
public enum LogError: Error, Hashable, Sendable {
  /// The log cannot be reached now. The call may still have taken effect; repeat it.
  case unreachable(String)

  /// Another log is in the place of this one; nil if there no longer is one.
  case anotherLog(UUID?)

  /// The actions up to a position were removed. The newest snapshot contains them.
  case compacted(through: Int)

  /// The client's actions after this number must be sent first.
  case missingActions(after: Int)

  /// A message of this many bytes is too long.
  case messageTooLong(Int)

  /// The log has refused the call, or is damaged. Repeating the call doesn't help.
  case refused(String)
}

extension LogError: CustomStringConvertible, LocalizedError {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .unreachable(let reason): "the log cannot be reached: \(reason)"
    case .anotherLog(let id?): "another log, \(id), has taken the place of this one"
    case .anotherLog(nil): "the log no longer exists"
    case .compacted(let position): "the actions up to position \(position) were removed: begin with the newest snapshot"
    case .missingActions(let number): "the log lacks this client's actions after number \(number): send them first"
    case .messageTooLong(let count): "a message has \(count) bytes, but may have at most \(LogError.longestMessage)"
    case .refused(let reason): "the log refused the call: \(reason)"
    }
  }

  /// The description, for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension LogError {
  /// The maximum number of bytes of a message.
  public static let longestMessage = 4096

  /// Throws if a message is too long.
  package static func requireLength(of message: Data) throws(LogError) {
    guard message.count <= LogError.longestMessage else { throw .messageTooLong(message.count) }
  }
}
