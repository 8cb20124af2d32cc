public import Arbor

/// Counts a tree's actions by how they came out, in all and by a key, and measures a sample of them.
///
/// ```swift
/// let metrics = MetricsMonitor { (action: AppAction) in action.name }
/// let factory = StoreFactory(
///   initialState: AppState(),
///   settings: TreeSettings(monitors: [metrics]),
///   reducer: appReducer
/// )
/// print(metrics)
/// ```
///
/// ```text
/// actions  count  reduced  replaced  dropped  held  revoked  failed
/// all        480      478         0        2     0        0       0
/// add        300      300         0        0     0        0       0
/// tick       180      178         0        2     0        0       0
///
/// waited  sample      p50      p90      p99      max
/// all         30  1.20 µs  3.40 µs  12.1 µs  12.1 µs
/// …
/// ```
///
/// - **Sample.** All actions are counted. The times are those of one action in so many: what happens seldom may be missing in
///   them, and their maximum is that of the sample. Where another monitor of the tree asks for more, they are of more.
/// - **Memory** is bounded, however many actions and keys there are: see ``DurationHistogram``, three of which are kept for
///   each key, for all, and for what has no key of its own.
/// - **Cost.** A lock an action, and with keys a look into a dictionary; nothing is allocated once all keys were seen.
/// - It may watch several trees, and be read from any thread while it does.
public final class MetricsMonitor: StoreMonitor {
  /// The sampling interval: one action in this many is timed; 0 for none.
  public let timingInterval: Int

  private let keyOf: (@Sendable (borrowing MonitoredAction) -> String?)?
  private let maximumKeys: Int
  private let table = Protected(MetricsTable())

  @usableFromInline
  init(_ timingInterval: Int, _ maximumKeys: Int, _ keyOf: (@Sendable (borrowing MonitoredAction) -> String?)?) {
    self.timingInterval = max(timingInterval, 0)
    self.maximumKeys = maximumKeys
    self.keyOf = keyOf
  }

  /// Makes a monitor that counts all actions together.
  ///
  /// - Parameter timingInterval: The sampling interval: the times of one action in this many are read; 0 or less for
  ///   none.
  public convenience init(timingInterval: Int = 16) {
    self.init(timingInterval, 0, nil)
  }

  /// Makes a monitor that also counts the actions of a type by a key. Actions of other types are counted as
  /// ``MetricsReport/other``.
  ///
  /// - Parameters:
  ///   - timingInterval: The sampling interval: the times of one action in this many are read; 0 or less for none.
  ///   - maximumKeys: The greatest number of keys. The first to come are counted by themselves, all others as
  ///     ``MetricsReport/other``.
  ///   - key: Returns the key of an action; one of more than 256 bytes is counted as ``MetricsReport/other``. Called on
  ///     the queues of the stores, for each action: let it return constants.
  @inlinable
  public convenience init<Action>(
    timingInterval: Int = 16,
    maximumKeys: Int = 64,
    key: @escaping @Sendable (_ action: Action) -> String
  ) {
    self.init(timingInterval, maximumKeys) { (action: borrowing MonitoredAction) in
      action.value(as: Action.self).map(key)
    }
  }

  /// Makes a monitor that also counts by a key of actions of any types: children may have their own.
  ///
  /// - Parameters:
  ///   - timingInterval: The sampling interval: the times of one action in this many are read; 0 or less for none.
  ///   - maximumKeys: The greatest number of keys. The first to come are counted by themselves, all others as
  ///     ``MetricsReport/other``.
  ///   - key: Returns the key of an action; an action without a key, or with one of more than 256 bytes, is counted as
  ///     ``MetricsReport/other``. Called on the queues of the stores, for each action: let it return constants.
  @inlinable
  public convenience init(
    timingInterval: Int = 16,
    maximumKeys: Int = 64,
    keyOf key: @escaping @Sendable (_ action: borrowing MonitoredAction) -> String?
  ) {
    self.init(timingInterval, maximumKeys, key)
  }

  /// The counts up to now.
  ///
  /// - Cost: the lock is held for a moment, however many keys there are; the actions that follow copy once what they change.
  public var report: MetricsReport {
    report(of: table.withLock { $0 })
  }

  /// Begins anew, with no actions and no keys.
  ///
  /// - Returns: The report up to then. Each action is counted either in it or in a later one.
  @discardableResult
  public func reset() -> MetricsReport {
    let counted = table.withLock { table in
      defer { table = MetricsTable() }
      return table
    }
    return report(of: counted)
  }

  /// Counts an action.
  ///
  /// - Parameter record: The record of the action, after its step.
  public func monitor(_ record: borrowing ActionRecord) {
    let sample = MetricsSample(record)
    if let keyOf {
      let key = keyOf(record.action)
      table.withLock { $0.add(sample, key: key, maximumKeys: maximumKeys) }
    } else {
      table.withLock { $0.add(sample) }
    }
  }

  private func report(of table: MetricsTable) -> MetricsReport {
    MetricsReport(all: table.all, byKey: table.byKey, other: table.other, timingInterval: timingInterval)
  }
}

extension MetricsMonitor: CustomStringConvertible {
  /// The report's tables.
  public var description: String { report.description }
}

/// The counts of a ``MetricsMonitor``: of all, and by key as long as there are not too many.
struct MetricsTable: Sendable {
  /// Longer keys do not get a row: they could take any amount of memory.
  static let longestKey = 256

  private(set) var all = ActionMetrics()
  private(set) var other = ActionMetrics()
  private var rows: [ActionMetrics] = []
  private var indices: [String: Int] = [:]

  var byKey: [String: ActionMetrics] { indices.mapValues { rows[$0] } }

  /// Adds an action to all.
  mutating func add(_ sample: borrowing MetricsSample) {
    all.add(sample)
  }

  /// Adds an action to all and to its key, if that has a row or can get one, else to what is left.
  mutating func add(_ sample: borrowing MetricsSample, key: String?, maximumKeys: Int) {
    all.add(sample)
    if let key, let index = index(of: key, maximumKeys: maximumKeys) {
      rows[index].add(sample)
    } else {
      other.add(sample)
    }
  }

  private mutating func index(of key: String, maximumKeys: Int) -> Int? {
    if let index = indices[key] { return index }
    guard rows.count < maximumKeys, key.utf8.count <= Self.longestKey else { return nil }
    indices[key] = rows.count
    rows.append(ActionMetrics())
    return rows.count - 1
  }
}

/// The part of a record that goes into metrics. Times are in nanoseconds; those to which the action did not come are nil.
struct MetricsSample: Sendable {
  let outcome: LoggedOutcome
  var waited: Int64?
  var reduced: Int64?
  var delivered: Int64?

  init(_ record: borrowing ActionRecord) {
    outcome = LoggedOutcome(record.outcome)
    guard let times = record.times else { return }
    let isReduced = outcome == .reduced || outcome == .replaced
    waited = times.waited.nanoseconds
    if isReduced { reduced = times.reduced.nanoseconds }
    // The last of a batch is delivered for all, even if it was dropped itself.
    if record.isLastOfStep, isReduced || times.delivered > .zero { delivered = times.delivered.nanoseconds }
  }
}
