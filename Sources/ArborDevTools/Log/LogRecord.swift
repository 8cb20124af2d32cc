internal import Arbor

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

/// A store in a ``LogRecord``.
public struct LoggedStore: Codable, Hashable, Sendable {
  /// A number that no other store in the process has.
  public var id: UInt64

  /// The number of the store above; nil for a root.
  public var parent: UInt64?

  /// The name of the type of its own state.
  public var state: String

  /// The name that the factory was given; nil if it was given none, and for a child.
  public var name: String?

  /// Makes one of its parts.
  ///
  /// - Parameters:
  ///   - id: A number that no other store in the process has.
  ///   - parent: The number of the store above; nil for a root.
  ///   - state: The name of the type of its own state.
  ///   - name: The name that the factory was given.
  public init(id: UInt64, parent: UInt64? = nil, state: String, name: String? = nil) {
    self.id = id
    self.parent = parent
    self.state = state
    self.name = name
  }

  init(_ store: MonitoredStore) {
    self.init(
      id: store.id,
      parent: store.parent,
      state: LineText.beginning(of: String(describing: store.stateType)),
      name: store.name.map { LineText.beginning(of: $0) }
    )
  }
}

extension LoggedStore: CustomStringConvertible {
  /// The store's name, or that of its state's type, and the number: `AppState#1`.
  public var description: String { "\(LineText.escaping(name ?? state))#\(id)" }

  /// The way to a part of its state, with its name in front.
  func path(to part: String) -> String {
    description + (part.isEmpty || part.hasPrefix("[") ? "" : ".") + part
  }
}

/// The times of an action in nanoseconds: its wait, and each part of its step. A part that the action did not reach is 0.
public struct LoggedTimes: Codable, Hashable, Sendable {
  /// The nanoseconds from when the action was accepted until its turn came.
  public var waited: Int64

  /// The nanoseconds that the interceptors took.
  public var intercepted: Int64

  /// The nanoseconds that the reducers took.
  public var reduced: Int64

  /// The nanoseconds that the observers on the store's queue took; those of a batch are called for
  /// its last action.
  public var delivered: Int64

  /// Makes one of its parts.
  ///
  /// - Parameters:
  ///   - waited: The nanoseconds from when the action was accepted until its turn came.
  ///   - intercepted: The nanoseconds that the interceptors took.
  ///   - reduced: The nanoseconds that the reducers took.
  ///   - delivered: The nanoseconds that the observers on the store's queue took.
  public init(waited: Int64, intercepted: Int64, reduced: Int64, delivered: Int64) {
    self.waited = waited
    self.intercepted = intercepted
    self.reduced = reduced
    self.delivered = delivered
  }

  init(_ times: ActionTimes) {
    self.init(
      waited: times.waited.nanoseconds,
      intercepted: times.intercepted.nanoseconds,
      reduced: times.reduced.nanoseconds,
      delivered: times.delivered.nanoseconds
    )
  }
}

/// The outcome of an action, without the action that came in its place.
public enum LoggedOutcome: String, Codable, Hashable, Sendable, CaseIterable {
  /// It was reduced as it was dispatched.
  case reduced

  /// Another one was reduced in its place.
  case replaced

  /// An interceptor has dropped it.
  case dropped

  /// An interceptor has held it. If it went on later, there is a record of that, too.
  case held

  /// The task that has sent it was cancelled.
  case revoked

  /// It was a commit that has thrown, or for whose part there was no state.
  case failed

  init(_ outcome: ActionOutcome) {
    switch outcome {
    case .reduced: self = .reduced
    case .replaced: self = .replaced
    case .dropped: self = .dropped
    case .held: self = .held
    case .revoked: self = .revoked
    case .failed: self = .failed
    }
  }
}

/// A part of a store's state of which a ``LogMonitor`` has not looked at all, as there is too much.
public struct LoggedOmission: Codable, Hashable, Sendable {
  /// The store whose state has the part.
  public var store: LoggedStore

  /// The path of the part, as that of a ``LoggedChange``.
  public var path: String

  /// The number of elements, records or fields that were left out; nil if nobody has counted them.
  public var count: Int?

  /// Makes one of its parts.
  ///
  /// - Parameters:
  ///   - store: The store whose state has the part.
  ///   - path: The path of the part, as that of a ``LoggedChange``.
  ///   - count: The number of elements, records or fields that were left out; nil if nobody has counted them.
  public init(store: LoggedStore, path: String, count: Int? = nil) {
    self.store = store
    self.path = path
    self.count = count
  }
}
