internal import Arbor

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
