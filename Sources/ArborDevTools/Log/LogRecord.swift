internal import Arbor

/// A record of one action or event in a ``LogMonitor``. As JSON, it is an object with these fields in alphabetical order.
///
/// ```json
/// {"action":".add(\"Milk\")","isLastOfStep":true,"kind":"action","outcome":"reduced","store":{"id":1,"state":"AppState"}}
/// ```
///
/// - Fields that are nil are left out.
/// - Times are whole nanoseconds on the tree's clock, which starts when the tree is made. They are at most 292 years.
/// - Texts are for people: long ones are truncated, and they may differ between versions.
/// - A later version may add fields and kinds; the existing ones keep their meaning.
public struct LogRecord: Codable, Hashable, Sendable {
  /// The subject of the record.
  public var kind: LogRecordKind

  /// The store in which it happened.
  ///
  /// For an action, it is the store to which the action was dispatched. For dropped records, it is the store of the first
  /// one.
  public var store: LoggedStore

  /// The time of the event, or the acceptance time of the action.
  ///
  /// It is nil for dropped records, and for an action if times aren't logged.
  public var time: Int64?

  /// The text of the action.
  public var action: String?

  /// The outcome of the action.
  public var outcome: LoggedOutcome?

  /// The text of the action that an interceptor put in place of this one.
  public var replacement: String?

  /// The time that the action waited, and the times of the parts of its step; nil if times aren't logged.
  public var times: LoggedTimes?

  /// `true` if the action is the last one of its step; `false` for all other actions of a batch.
  public var isLastOfStep: Bool?

  /// The changes that the action made, from its own store's state up to the root's.
  ///
  /// It is nil if changes aren't logged, or if none were found.
  public var changes: [LoggedChange]?

  /// `true` if there were more changes than the listed ones.
  public var hasMoreChanges: Bool?

  /// The parts of the states that are too large to be compared completely; nil if there are none.
  public var notLookedAt: [LoggedOmission]?

  /// The number of the event's task, unique in the process.
  public var task: UInt64?

  /// The text of the task's key, if it has one.
  public var key: String?

  /// The name of the state effect that started the task: the file and line of its declaration. It is nil if no state
  /// effect started it.
  public var stateEffect: String?

  /// The text of the error that the task threw.
  public var error: String?

  /// The text of the activity.
  public var activity: String?

  /// The number of records that are missing here because too many waited to be written.
  public var dropped: Int?

  /// Makes a record without any of the optional fields.
  ///
  /// - Parameters:
  ///   - kind: The subject of the record.
  ///   - store: The store in which it happened; see ``store``.
  public init(_ kind: LogRecordKind, store: LoggedStore) {
    self.kind = kind
    self.store = store
  }
}

/// The kind of a ``LogRecord``.
public enum LogRecordKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// An action, reduced or not.
  case action

  /// A store was made.
  case storeMade

  /// A store's owner was released.
  case storeGone

  /// An observer subscribed.
  case observerMade

  /// An observer ended.
  case observerGone

  /// A task started.
  case taskStarted

  /// A task finished.
  case taskFinished

  /// A task was canceled.
  case taskCancelled

  /// A task threw an error.
  case taskFailed

  /// An activity is about to be delivered.
  case activity

  /// Records were dropped because too many waited to be written.
  case recordsDropped

  /// A kind that this version doesn't know. The record doesn't contain its name.
  case unknown

  /// Decodes a kind. A kind that only a later version knows becomes `unknown`.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    self = LogRecordKind(rawValue: word) ?? .unknown
  }
}

/// A store in a ``LogRecord``.
public struct LoggedStore: Codable, Hashable, Sendable {
  /// The number of the store, unique in the process.
  public var id: UInt64

  /// The number of the store above; nil for a root.
  public var parent: UInt64?

  /// The name of the type of the store's own state.
  public var state: String

  /// The name that was passed to the factory; nil if there was none, and for a child.
  public var name: String?

  /// Makes a store's description from its parts.
  ///
  /// - Parameters:
  ///   - id: The number of the store, unique in the process.
  ///   - parent: The number of the store above; nil for a root.
  ///   - state: The name of the type of the store's own state.
  ///   - name: The name that was passed to the factory.
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
  /// The store's name, or the name of its state's type, followed by its number: `AppState#1`.
  public var description: String { "\(LineText.escaping(name ?? state))#\(id)" }

  /// Returns the path of a part of the store's state, with the store's name in front.
  func path(to part: String) -> String {
    description + (part.isEmpty || part.hasPrefix("[") ? "" : ".") + part
  }
}

/// The times of an action in nanoseconds: its wait, and each part of its step. A part that the action didn't reach is 0.
public struct LoggedTimes: Codable, Hashable, Sendable {
  /// The nanoseconds from when the action was accepted until its turn came.
  public var waited: Int64

  /// The nanoseconds that the interceptors took.
  public var intercepted: Int64

  /// The nanoseconds that the reducers took.
  public var reduced: Int64

  /// The nanoseconds that the observers on the store's queue took. The observers of a batch are called for its last
  /// action.
  public var delivered: Int64

  /// Makes the times from their parts.
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

/// The outcome of an action, without the action that replaced it.
public enum LoggedOutcome: String, Codable, Hashable, Sendable, CaseIterable {
  /// The action was reduced as it was dispatched.
  case reduced

  /// Another action was reduced in its place.
  case replaced

  /// An interceptor dropped the action.
  case dropped

  /// An interceptor held the action. If it continued later, there is also a record of that.
  case held

  /// The task that sent the action was canceled.
  case revoked

  /// The action was a commit that threw an error, or that had no state for its part.
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

/// A part of a store's state that was too large for a ``LogMonitor`` to compare completely.
public struct LoggedOmission: Codable, Hashable, Sendable {
  /// The store whose state contains the part.
  public var store: LoggedStore

  /// The path of the part, in the form of ``LoggedChange/path``.
  public var path: String

  /// The number of elements, records or fields that were left out; nil if they weren't counted.
  public var count: Int?

  /// Makes an omission from its parts.
  ///
  /// - Parameters:
  ///   - store: The store whose state contains the part.
  ///   - path: The path of the part, in the form of ``LoggedChange/path``.
  ///   - count: The number of elements, records or fields that were left out; nil if they weren't counted.
  public init(store: LoggedStore, path: String, count: Int? = nil) {
    self.store = store
    self.path = path
    self.count = count
  }
}
