public import Arbor

/// Counts a tree's actions by their outcomes, in total and by key, and times a sample of them.
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
/// - **Sample.** All actions are counted, but only one in `timingInterval` is timed. Rare actions may be missing in the
///   times, and the maximum covers only the sample. If another monitor of the tree requests more times, the sample is
///   larger.
/// - **Memory** is bounded for any number of actions and keys. There are three ``DurationHistogram`` values for each key,
///   three for all actions, and three for the actions without their own key.
/// - **Cost.** A lock per action and, if there are keys, a dictionary lookup. Nothing is allocated once all keys have
///   been seen.
/// - It can monitor several trees, and you can read it from any thread meanwhile.
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
  /// - Parameter timingInterval: The sampling interval: one action in this many is timed; 0 or less for none.
  public convenience init(timingInterval: Int = 16) {
    self.init(timingInterval, 0, nil)
  }

  /// Makes a monitor that also counts the actions of one type by key.
  ///
  /// - Actions of other types are counted as ``MetricsReport/other``.
  /// - Parameters:
  ///   - timingInterval: The sampling interval: one action in this many is timed; 0 or less for none.
  ///   - maximumKeys: The maximum number of keys. The first keys are counted separately, all others as
  ///     ``MetricsReport/other``.
  ///   - key: Returns the key of an action; a key of more than 256 bytes is counted as ``MetricsReport/other``. It is
  ///     called on the queues of the stores, for each action, so it should return constants.
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

  /// Makes a monitor that also counts actions of any type by key, so that children can have their own keys.
  ///
  /// - Parameters:
  ///   - timingInterval: The sampling interval: one action in this many is timed; 0 or less for none.
  ///   - maximumKeys: The maximum number of keys. The first keys are counted separately, all others as
  ///     ``MetricsReport/other``.
  ///   - key: Returns the key of an action. If it returns nil or a key of more than 256 bytes, the action is counted as
  ///     ``MetricsReport/other``. It is called on the queues of the stores, for each action, so it should return
  ///     constants.
  @inlinable
  public convenience init(
    timingInterval: Int = 16,
    maximumKeys: Int = 64,
    keyOf key: @escaping @Sendable (_ action: borrowing MonitoredAction) -> String?
  ) {
    self.init(timingInterval, maximumKeys, key)
  }

  /// The counts so far.
  ///
  /// - Cost: The lock is only held for a moment, for any number of keys. Later actions copy each part they change once.
  public var report: MetricsReport {
    report(of: table.withLock { $0 })
  }

  /// Starts over, with no actions and no keys.
  ///
  /// - Returns: The report so far. Each action is counted either in this report or in a later one.
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
  /// The tables of the report.
  public var description: String { report.description }
}

/// The counts of a ``MetricsMonitor``: of all actions, and by key up to the maximum number of keys.
struct MetricsTable: Sendable {
  /// The maximum length of a key with its own row, because longer keys could use any amount of memory.
  static let longestKey = 256

  private(set) var all = ActionMetrics()
  private(set) var other = ActionMetrics()
  private var rows: [ActionMetrics] = []
  private var indices: [String: Int] = [:]

  var byKey: [String: ActionMetrics] { indices.mapValues { rows[$0] } }

  /// Counts an action without a key.
  mutating func add(_ sample: borrowing MetricsSample) {
    all.add(sample)
  }

  /// Counts an action, also in the row of its key; or as `other` if the key has no row and can't get one.
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

/// The part of a record that is used for metrics. Times are in nanoseconds; nil if the action didn't reach that stage.
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
    // The observers of a batch are called once, for its last action, even if that action itself was dropped.
    if record.isLastOfStep, isReduced || times.delivered > .zero { delivered = times.delivered.nanoseconds }
  }
}
