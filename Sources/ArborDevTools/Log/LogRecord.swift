/// A record of one action or event in a ``LogMonitor``; as JSON, an object with these fields in the order of the alphabet.
///
/// ```json
/// {"action":".add(\"Milk\")","isLastOfStep":true,"kind":"action","outcome":"reduced","store":{"id":1,"state":"AppState"}}
/// ```
///
/// - Fields that are nil are left out.
/// - Times are whole nanoseconds on the tree's clock, which starts when the tree is made; the longest is that of 292 years.
/// - Texts are for people: they are cut where they get long, and may differ from version to version.
/// - A later version may add fields and kinds; what is here keeps its meaning.
public struct LogRecord: Codable, Hashable, Sendable {
  /// The subject of the record.
  public var kind: LogRecordKind

  /// The store where it happened; for an action, to which it was dispatched; for records that were dropped, that of the first.
  public var store: LoggedStore

  /// The time of the event; for an action, that of its acceptance, or nil if times are not logged. It is nil for records
  /// that were dropped.
  public var time: Int64?

  /// The text of the action.
  public var action: String?

  /// The outcome of the action.
  public var outcome: LoggedOutcome?

  /// The text of the action that an interceptor has put in its place.
  public var replacement: String?

  /// The time that the action waited, and those of the parts of its step; nil if times are not logged.
  public var times: LoggedTimes?

  /// `true` if the action is the last of its step: of a batch all others are not.
  public var isLastOfStep: Bool?

  /// The changes of the action, its own store's state first and the root's last; nil if changes are not logged, or none
  /// were to be seen.
  public var changes: [LoggedChange]?

  /// `true` if there were more changes than are listed.
  public var hasMoreChanges: Bool?

  /// The parts of the states of which not all was looked at, as there is too much; nil if there are none.
  public var notLookedAt: [LoggedOmission]?

  /// The number of the task that the event is about; no other in the process has it.
  public var task: UInt64?

  /// The text of the task's key, if it has one.
  public var key: String?

  /// The name of the state effect that has started the task, by the file and the line of its declaration; nil if none has.
  public var stateEffect: String?

  /// The text of the error that the task has thrown.
  public var error: String?

  /// The text of the activity.
  public var activity: String?

  /// The number of records that are missing in this place, because too many waited to be written.
  public var dropped: Int?

  /// Makes a record without any of the fields that may be nil.
  ///
  /// - Parameters:
  ///   - kind: The subject of the record.
  ///   - store: The store where it happened; see ``store``.
  public init(_ kind: LogRecordKind, store: LoggedStore) {
    self.kind = kind
    self.store = store
  }
}
