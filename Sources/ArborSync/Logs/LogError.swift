public import Foundation

/// The error of an ordered log.
public enum LogError: Error, Hashable, Sendable {
  /// The log cannot be reached now. What was asked may have been done all the same: it is to be asked again.
  case unreachable(String)

  /// Another log is where this one was; nil if there is none any more.
  case anotherLog(UUID?)

  /// The actions up to a position are there no more: the newest snapshot has them in it.
  case compacted(through: Int)

  /// The actions of the client behind this number must be sent before.
  case missingActions(after: Int)

  /// A message has more bytes than may be sent.
  case messageTooLong(Int)

  /// The log has refused what was asked, or is damaged: to ask again is of no use.
  case refused(String)
}

extension LogError: CustomStringConvertible, LocalizedError {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .unreachable(let reason): "the log cannot be reached: \(reason)"
    case .anotherLog(let id?): "another log, \(id), is in the place of this one"
    case .anotherLog(nil): "there is no log any more where this one was"
    case .compacted(let position): "the actions up to position \(position) were removed: begin with the newest snapshot"
    case .missingActions(let number): "the actions behind number \(number) of this client are not in the log"
    case .messageTooLong(let count): "a message has \(count) bytes, and may have \(LogError.longestMessage)"
    case .refused(let reason): "the log has refused this: \(reason)"
    }
  }

  /// The same sentence.
  public var errorDescription: String? { description }
}

extension LogError {
  /// The greatest number of bytes of a message.
  public static let longestMessage = 4096

  /// Throws if a message is too long.
  package static func requireLength(of message: Data) throws(LogError) {
    guard message.count <= LogError.longestMessage else { throw .messageTooLong(message.count) }
  }
}
