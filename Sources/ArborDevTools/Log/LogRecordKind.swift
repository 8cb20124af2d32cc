/// The kind of a ``LogRecord``.
public enum LogRecordKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// An action, whether it was reduced or not.
  case action

  /// A store was made.
  case storeMade

  /// A store's owner is gone.
  case storeGone

  /// An observer has subscribed.
  case observerMade

  /// An observer has ended.
  case observerGone

  /// A task has begun.
  case taskStarted

  /// A task has come to its end.
  case taskFinished

  /// A task was cancelled.
  case taskCancelled

  /// A task has thrown an error.
  case taskFailed

  /// An activity is about to be heard.
  case activity

  /// Records were dropped, because too many waited to be written.
  case recordsDropped

  /// Something that this version has no word for: what it was is not said.
  case unknown

  /// Decodes a word; one that a later version has written is `unknown`.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    self = LogRecordKind(rawValue: word) ?? .unknown
  }
}
