public import Arbor
internal import Foundation

#if canImport(os)
  public import os
#endif

/// Writes a log of everything that a tree of stores does, for people or for programs.
///
/// ```swift
/// let log = LogMonitor { (action: AppAction) in action != .tick }
/// let factory = StoreFactory(initialState: AppState(), settings: TreeSettings(monitors: [log]), reducer: appReducer)
/// ```
///
/// ```text
/// +0.001234 AppState#1: .add("Milk") (waited 1.20 µs, intercepted 80 ns, reduced 2.10 µs, delivered 14.0 µs)
///   todos[0]: + "Milk"
/// ```
///
/// - **Order.** The records of a tree are written in the order of its queue. Each record is one call to the sink,
///   without a newline at its end.
/// - **Thread.** Texts and differences are made, and the sink is called, on the monitor's own serial queue. Stores don't
///   wait for any of this.
/// - **Memory.** The monitor keeps each logged action until its record is written, with its states if changes are logged.
///   `maximumWaiting` limits how many records may wait. At the limit, new records are dropped until only half as many
///   wait; a record in their place gives the number of missing records.
/// - **Bounds.** Only the beginning of a long text is written, and only the first hundred of many changes. No value
///   breaks a line. In each state, a few thousand parts are compared, regardless of its size:
///   - in tables, the parts that the two versions don't share
///   - in arrays, the elements that aren't bitwise identical
///   - in dictionaries and sets, the elements that come first
///
///   Parts that were not compared are reported: `todos: … 9900 more not compared`.
/// - **Cost.** An action that isn't logged costs one call to the predicate, or two if changes are logged.
/// - The sink may dispatch, but should not wait for a store: a call to ``flush()`` on that store's queue waits for the
///   sink.
public final class LogMonitor: StoreMonitor {
  /// Writes a record and a newline to standard error.
  public static let standardError: @Sendable (_ record: String) -> Void = { record in
    // The reader of standard error may be gone, which is no reason to stop the program.
    try? FileHandle.standardError.write(contentsOf: Data((record + "\n").utf8))
  }

  private let format: LogFormat
  private let detail: LogDetail
  private let isLogged: @Sendable (borrowing MonitoredAction) -> Bool
  private let write: @Sendable (String) -> Void
  private let queue = SinkQueue(label: "Arbor.LogMonitor")
  private let backlog: Protected<LogBacklog>

  /// Makes a monitor that logs the actions that a closure chooses by their store or type.
  ///
  /// - The closure is called on the queues of the stores.
  /// - Parameters:
  ///   - format: The form in which each record is written.
  ///   - detail: The detail to log in addition to the actions and their outcomes.
  ///   - maximumWaiting: The maximum number of records that wait to be written, each with its action and its states; less
  ///     than 1 counts as 1.
  ///   - isLogged: Returns `true` if an action is logged.
  ///   - write: The sink, which is called with each record.
  public init(
    _ format: LogFormat = .text,
    detail: LogDetail = [.times, .changes],
    maximumWaiting: Int = 10_000,
    where isLogged: @escaping @Sendable (_ action: borrowing MonitoredAction) -> Bool,
    to write: @escaping @Sendable (_ record: String) -> Void = LogMonitor.standardError
  ) {
    self.format = format
    self.detail = detail
    self.isLogged = isLogged
    self.write = write
    backlog = Protected(LogBacklog(limit: maximumWaiting))
  }

  /// Makes a monitor that logs all actions.
  ///
  /// - Parameters:
  ///   - format: The form in which each record is written.
  ///   - detail: The detail to log in addition to the actions and their outcomes.
  ///   - maximumWaiting: The maximum number of records that wait to be written; less than 1 counts as 1.
  ///   - write: The sink, which is called with each record.
  public convenience init(
    _ format: LogFormat = .text,
    detail: LogDetail = [.times, .changes],
    maximumWaiting: Int = 10_000,
    to write: @escaping @Sendable (_ record: String) -> Void = LogMonitor.standardError
  ) {
    self.init(
      format,
      detail: detail,
      maximumWaiting: maximumWaiting,
      where: { (_: borrowing MonitoredAction) in true },
      to: write
    )
  }

  /// Makes a monitor that logs the actions of one type that a closure chooses, and no others.
  ///
  /// - Parameters:
  ///   - format: The form in which each record is written.
  ///   - detail: The detail to log in addition to the actions and their outcomes.
  ///   - maximumWaiting: The maximum number of records that wait to be written; less than 1 counts as 1.
  ///   - isLogged: Returns `true` if an action is logged. Called on the queues of the stores.
  ///   - write: The sink, which is called with each record.
  @inlinable
  public convenience init<Action>(
    _ format: LogFormat = .text,
    detail: LogDetail = [.times, .changes],
    maximumWaiting: Int = 10_000,
    where isLogged: @escaping @Sendable (_ action: Action) -> Bool,
    to write: @escaping @Sendable (_ record: String) -> Void = LogMonitor.standardError
  ) {
    self.init(
      format,
      detail: detail,
      maximumWaiting: maximumWaiting,
      where: { (action: borrowing MonitoredAction) in action.value(as: Action.self).map(isLogged) ?? false },
      to: write
    )
  }

  /// Waits until everything that was monitored before the call is written.
  ///
  /// - You can call it from any thread, but not in the sink: there it would wait for itself, so it stops the program. Two
  ///   sinks must not wait for each other either; Arbor doesn't detect that deadlock.
  public func flush() {
    queue.flush()
  }

  /// The sampling interval: 1, for all actions, if the detail has ``LogDetail/times``; otherwise 0, for none.
  public var timingInterval: Int { detail.contains(.times) ? 1 : 0 }

  /// Returns `true` for an action that is logged, if changes are logged.
  ///
  /// - Parameter action: The action, before its interceptors.
  public func wantsStates(of action: borrowing MonitoredAction) -> Bool {
    detail.contains(.changes) && isLogged(action)
  }

  /// Logs an action.
  ///
  /// - Parameter record: The record of the action, after its step.
  public func monitor(_ record: borrowing ActionRecord) {
    guard isLogged(record.action) else { return }
    let store = record.action.store
    guard case .waiting(let gap) = backlog.withLock({ $0.enter(from: store) }) else { return }
    let action = LoggedAction(record, detail)
    write(behind: gap) { LogRecord(action) }
  }

  /// Logs an event.
  ///
  /// - Parameters:
  ///   - event: The event. It is ignored unless the detail has ``LogDetail/events``.
  ///   - time: The time of the event since the tree was made, on the tree's clock.
  public func monitor(_ event: StoreEvent, at time: Duration) {
    guard detail.contains(.events) else { return }
    guard case .waiting(let gap) = backlog.withLock({ $0.enter(from: event.store) }) else { return }
    write(behind: gap) { LogRecord(event, at: time) }
  }

  private func write(behind gap: LogBacklog.Gap?, _ record: @escaping @Sendable () -> LogRecord) {
    queue.async { [self] in
      if let gap { write(LogRecord(gap)) }
      write(record())
      if let gap = backlog.withLock({ $0.leave() }) { write(LogRecord(gap)) }
    }
  }

  private func write(_ record: LogRecord) {
    switch format {
    case .text: write(record.description)
    case .json: write(record.line)
    }
  }
}

#if canImport(os)
  extension LogMonitor {
    /// A sink that writes to the system's log, as debug messages.
    ///
    /// - States contain personal data, so the records are private: the system shows them to a debugger, and otherwise
    ///   leaves them out. It cuts long records.
    public static func systemLog(_ logger: Logger) -> @Sendable (_ record: String) -> Void {
      { record in logger.debug("\(record, privacy: .private)") }
    }
  }
#endif

/// The form in which a ``LogMonitor`` writes each record.
public enum LogFormat: Sendable, Hashable {
  /// For people: a line, followed by an indented line for each part of a state that has changed.
  case text

  /// For programs: a ``LogRecord`` as JSON, on exactly one line.
  case json
}

/// The detail that a ``LogMonitor`` logs in addition to the actions and their outcomes.
public struct LogDetail: OptionSet, Sendable, Hashable {
  /// The acceptance time and the ``LoggedTimes`` of actions. Logging them reads the clock for every action.
  public static let times = LogDetail(rawValue: 1 << 0)

  /// The changes made by the reducers. Logging them makes the reducers copy each part that they change.
  public static let changes = LogDetail(rawValue: 1 << 1)

  /// The events other than actions: stores, observers, tasks and activities.
  public static let events = LogDetail(rawValue: 1 << 2)

  /// All details.
  public static let all: LogDetail = [.times, .changes, .events]

  /// The bits of the set.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }
}

/// The number of records that wait to be written, and of the records that were dropped because too many waited.
///
/// - When it is full, all new records are dropped until only half as many wait. The log then has a few long gaps instead
///   of many short ones.
struct LogBacklog: Sendable {
  /// The records that were dropped in one gap.
  struct Gap: Sendable {
    /// The store of the first dropped record.
    let store: MonitoredStore
    var count = 0
  }

  /// The decision about a new record.
  enum Entrance: Sendable {
    /// The record waits after the others, and after a gap if there is one that hasn't been reported yet.
    case waiting(behind: Gap?)
    case dropped
  }

  private let limit: Int
  private var waiting = 0
  private var isDropping = false
  private var gap: Gap?

  init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// Adds a record from a store, unless too many wait.
  mutating func enter(from store: MonitoredStore) -> Entrance {
    if waiting == limit { isDropping = true }
    guard isDropping else {
      waiting += 1
      defer { gap = nil }
      return .waiting(behind: gap)
    }
    gap = gap ?? Gap(store: store)
    gap?.count += 1
    return .dropped
  }

  /// Removes a record that was written.
  ///
  /// - Returns: The gap after the record that must be reported now, because no other record waits; otherwise nil.
  mutating func leave() -> Gap? {
    waiting -= 1
    if waiting <= limit / 2 { isDropping = false }
    guard waiting == 0 else { return nil }
    defer { gap = nil }
    return gap
  }
}

/// A copy of an action, kept until its record is written.
struct LoggedAction: Sendable {
  let action: any Sendable
  let store: MonitoredStore
  let outcome: ActionOutcome
  let times: ActionTimes?
  let states: [StateTransition]
  let isLastOfStep: Bool

  init(_ record: borrowing ActionRecord, _ detail: LogDetail) {
    action = record.action.value
    store = record.action.store
    outcome = record.outcome
    // Another monitor of the tree may have requested more.
    times = detail.contains(.times) ? record.times : nil
    states = detail.contains(.changes) ? record.states : []
    isLastOfStep = record.isLastOfStep
  }
}
