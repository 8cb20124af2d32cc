internal import Arbor

/// An action or an event that is to be written to a trace.
enum TraceEntry: Sendable {
  case action(TracedAction)
  case event(StoreEvent, at: Duration)
}

/// The parts of an action's record that a trace needs.
struct TracedAction: Sendable {
  let action: any Sendable
  let number: UInt64
  let cause: ActionCause
  let store: MonitoredStore
  let outcome: ActionOutcome
  let times: ActionTimes
  let waiting: Int

  init(_ record: borrowing ActionRecord, _ times: ActionTimes) {
    action = record.action.value
    number = record.number
    cause = record.cause
    store = record.action.store
    outcome = record.outcome
    waiting = record.waiting
    self.times = times
  }
}

/// The entries that wait to be written.
struct TraceBacklog: Sendable {
  private let limit: Int
  private var entries: [TraceEntry] = []
  private var dropped = 0

  /// `true` from when the writer is called until it has taken the entries.
  private var isWriterCalled = false

  init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// Adds an entry, or drops it if too many wait.
  ///
  /// - Returns: `true` if the writer must be called.
  mutating func enter(_ entry: TraceEntry) -> Bool {
    if entries.count < limit { entries.append(entry) } else { dropped += 1 }
    defer { isWriterCalled = true }
    return !isWriterCalled
  }

  /// Takes out the entries, and how many were dropped behind them.
  mutating func takeAll() -> (entries: [TraceEntry], dropped: Int) {
    defer { (entries, dropped, isWriterCalled) = ([], 0, false) }
    return (entries, dropped)
  }
}
