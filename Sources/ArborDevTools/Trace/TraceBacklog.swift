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
  let times: ActionNanoseconds
  let waiting: Int

  init(_ record: borrowing ActionRecord, _ times: ActionNanoseconds) {
    action = record.action.value
    number = record.number
    cause = record.cause
    store = record.action.store
    outcome = record.outcome
    waiting = record.waiting
    self.times = times
  }
}

extension ActionNanoseconds {
  // A clock of somebody's own may say anything.

  /// The time at which the step began.
  var begun: Int64 { accepted &+ waited }

  /// The time that the step took.
  var duration: Int64 { intercepted &+ reduced &+ performed &+ delivered }
}

/// The entries that wait to be written, in portions, so that the first are not moved when more come.
struct TraceBacklog: Sendable {
  /// The moment at which the writer is to be called.
  enum Call: Sendable {
    /// Soon: others may come, and are written with it.
    case soon
    case now
  }

  /// The number of entries that are enough to be written at once.
  private static let portion = 512

  private let limit: Int
  private var fullPortions: [[TraceEntry]] = []
  private var entries: [TraceEntry] = []
  private var dropped = 0

  private var count: Int { fullPortions.count * Self.portion + entries.count }

  init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// Adds an entry, or drops it if too many wait. Returns when the writer must be called; nil if it was called already.
  mutating func enter(_ entry: TraceEntry) -> Call? {
    guard count < limit else {
      dropped += 1
      return nil
    }
    if entries.isEmpty { entries.reserveCapacity(Self.portion) }
    entries.append(entry)
    guard entries.count == Self.portion else { return count == 1 ? .soon : nil }
    fullPortions.append(entries)
    entries = []
    return .now
  }

  /// Takes out the entries, and how many were dropped behind them.
  mutating func take() -> (portions: [[TraceEntry]], dropped: Int) {
    defer { (fullPortions, entries, dropped) = ([], [], 0) }
    return (entries.isEmpty ? fullPortions : fullPortions + [entries], dropped)
  }
}
