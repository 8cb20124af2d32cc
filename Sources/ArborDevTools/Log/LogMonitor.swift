public import Arbor
internal import Foundation

#if canImport(os)
  public import os
#endif

/// Writes down what a tree of stores does, for people or for programs.
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
/// - **Order.** The records of a tree are written in the order of its queue; each is one call of the sink, without a newline
///   at its end.
/// - **Thread.** Texts and differences are made, and the sink is called, on a queue of the monitor's own, one after the other:
///   neither makes a store wait.
/// - **Memory.** What is logged is kept until it was written, with its states if changes are logged. As many records may wait as
///   ``init(_:detail:maximumWaiting:to:)`` says. What comes then is dropped until half of them are written; a record in its place says
///   how many are missing.
/// - **Bounds.** Of long texts the beginning is written, of many changes the first hundred. No value breaks a line. Of each state a
///   few thousand parts are looked at, whatever its size: of tables those that two versions do not share, of arrays those that are
///   not the same to the bit, of dictionaries and sets as many as come first. What was not looked at is said:
///   `todos: … 9900 more not looked at`.
/// - **Cost.** An action that is not logged costs the predicate, which is asked twice where changes are logged.
/// - The sink may dispatch, but should not wait for a store: whoever calls ``flush()`` on that store's queue waits for the sink.
public final class LogMonitor: StoreMonitor {
  /// Writes a record and a newline to standard error.
  public static let standardError: @Sendable (_ record: String) -> Void = { record in
    // The reader of standard error may be gone: that is no reason to stop.
    try? FileHandle.standardError.write(contentsOf: Data((record + "\n").utf8))
  }

  private let format: LogFormat
  private let detail: LogDetail
  private let isLogged: @Sendable (borrowing MonitoredAction) -> Bool
  private let write: @Sendable (String) -> Void
  private let queue = SinkQueue(label: "Arbor.LogMonitor")
  private let backlog: Protected<LogBacklog>

  /// Makes a monitor that logs the actions that a closure chooses, by their stores or their types.
  ///
  /// - The closure is called on the queues of the stores.
  /// - Parameters:
  ///   - format: The form in which each record is written.
  ///   - detail: The detail to log in addition to the actions and their outcomes.
  ///   - maximumWaiting: The greatest number of records that wait to be written, each with its action and its states; less than 1
  ///     counts as 1.
  ///   - isLogged: Chooses the actions.
  ///   - write: The sink.
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
  ///   - maximumWaiting: The greatest number of records that wait to be written; less than 1 counts as 1.
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

  /// Makes a monitor that logs the actions of a type that a closure chooses, and none of other types.
  ///
  /// - Parameters:
  ///   - format: The form in which each record is written.
  ///   - detail: The detail to log in addition to the actions and their outcomes.
  ///   - maximumWaiting: The greatest number of records that wait to be written; less than 1 counts as 1.
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

  /// Returns once everything was written that has been monitored before.
  ///
  /// - From any thread, but not in the sink: there it would wait for itself, and stops the program. Two sinks must not
  ///   wait for each other either, which nothing notices.
  public func flush() {
    queue.flush()
  }

  /// The sampling interval: 1, for all actions, if the detail has ``LogDetail/times``; else 0, for none.
  public var timingInterval: Int { detail.contains(.times) ? 1 : 0 }

  /// Wants the states of the actions that are logged, if changes are.
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
    /// - States hold what is personal: the records are private, so the system shows them to a debugger and else leaves them
    ///   out. It cuts long ones.
    public static func systemLog(_ logger: Logger) -> @Sendable (_ record: String) -> Void {
      { record in logger.debug("\(record, privacy: .private)") }
    }
  }
#endif

/// The form in which a ``LogMonitor`` writes each record.
public enum LogFormat: Sendable, Hashable {
  /// For people: a line, and below it an indented line for each part of a state that has changed.
  case text

  /// For programs: a ``LogRecord`` as JSON, in exactly one line.
  case json
}

/// The detail that a ``LogMonitor`` logs in addition to the actions and their outcomes.
public struct LogDetail: OptionSet, Sendable, Hashable {
  /// The acceptance time and the ``LoggedTimes`` of actions. Cost: the clock is read for every action.
  public static let times = LogDetail(rawValue: 1 << 0)

  /// The changes of the reducers. Cost: where they change something, they copy it.
  public static let changes = LogDetail(rawValue: 1 << 1)

  /// The events other than actions: stores, observers, tasks and activities.
  public static let events = LogDetail(rawValue: 1 << 2)

  /// All of it.
  public static let all: LogDetail = [.times, .changes, .events]

  /// The bits.
  public let rawValue: Int

  /// Makes a set of its bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }
}

/// The number of records that wait to be written, and of those that were dropped because too many wait.
///
/// - Once it is full, all that comes is dropped until half has been written: so the log has gaps, and not holes everywhere.
struct LogBacklog: Sendable {
  /// The records that were dropped in one gap.
  struct Gap: Sendable {
    /// The store of the first of them.
    let store: MonitoredStore
    var count = 0
  }

  /// The fate of a record.
  enum Entrance: Sendable {
    /// It waits behind the others, and behind a gap if there is one that was not told.
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

  /// A record comes.
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

  /// A record was written.
  ///
  /// - Returns: A gap behind it that is to be told now, because nothing else waits.
  mutating func leave() -> Gap? {
    waiting -= 1
    if waiting <= limit / 2 { isDropping = false }
    guard waiting == 0 else { return nil }
    defer { gap = nil }
    return gap
  }
}

/// The copy of an action that is kept until it is written.
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
    // Another monitor of the tree may have asked for more.
    times = detail.contains(.times) ? record.times : nil
    states = detail.contains(.changes) ? record.states : []
    isLastOfStep = record.isLastOfStep
  }
}
