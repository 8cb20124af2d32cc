/// A report of the counts of a ``MetricsMonitor`` up to a moment.
///
/// - Its description is a table of the counts, and one each of the times waited, reduced and delivered.
public struct MetricsReport: Sendable, Hashable {
  /// The metrics of all actions.
  public let all: ActionMetrics

  /// The metrics of the actions with a key of their own, by that key. Together with ``other`` these are all actions; if
  /// the monitor has no keys, both are empty.
  public let byKey: [String: ActionMetrics]

  /// The metrics of the actions without a key of their own: those whose key came when there were too many, or was too
  /// long, and those without any key, as actions of another type than the keys are made of.
  public let other: ActionMetrics

  /// The sampling interval: the times of one action in this many were asked for; 0 for none.
  public let timingInterval: Int
}

extension MetricsReport: CustomStringConvertible {
  /// The tables.
  public var description: String {
    let times: [(String, KeyPath<ActionMetrics, DurationHistogram>)] =
      [("waited", \.waited), ("reduced", \.reduced), ("delivered", \.delivered)]
    let tables = [outcomes] + times.compactMap { table($0, of: $1) }
    return tables.map(\.description).joined(separator: "\n\n")
  }

  private typealias Row = (name: String, metrics: ActionMetrics)

  /// All, then the keys that were seen most often first, then what is left.
  private var rows: [Row] {
    let keyed = byKey.map { Row(LineText.escaping($0.key), $0.value) }
      .sorted { ($1.metrics.count, $0.name) < ($0.metrics.count, $1.name) }
    return [("all", all)] + keyed + (other.count > 0 ? [("other", other)] : [])
  }

  private var outcomes: TextTable {
    var table = TextTable(header: ["actions", "count", "reduced", "replaced", "dropped", "held", "revoked", "failed"])
    for (name, metrics) in rows {
      let outcomes = metrics.outcomes
      let counts = [
        metrics.count, outcomes.reduced, outcomes.replaced, outcomes.dropped, outcomes.held,
        outcomes.revoked, outcomes.failed,
      ]
      table.add([name] + counts.map(\.description))
    }
    return table
  }

  /// A table of times; nil if there are none.
  private func table(_ name: String, of histogram: KeyPath<ActionMetrics, DurationHistogram>) -> TextTable? {
    guard all[keyPath: histogram].count > 0 else { return nil }
    var table = TextTable(header: [name, "sample", "p50", "p90", "p99", "max"])
    for (name, metrics) in rows {
      let histogram = metrics[keyPath: histogram]
      guard histogram.count > 0 else { continue }
      let times = [50, 90, 99].compactMap(histogram.percentile) + [histogram.maximum]
      table.add([name, "\(histogram.count)"] + times.map { DurationText.of($0.nanoseconds) })
    }
    return table
  }
}

/// The counts of some actions, and the times of a sample of them.
public struct ActionMetrics: Sendable, Hashable {
  /// The numbers of actions with each outcome, of all actions.
  public private(set) var outcomes = OutcomeCounts()

  /// The times that the sampled actions waited for their turn.
  public private(set) var waited = DurationHistogram()

  /// The times of the reducers, for the sampled actions that reached them.
  public private(set) var reduced = DurationHistogram()

  /// The times of the observers, for the sampled actions that ended a step: of a batch the last one.
  public private(set) var delivered = DurationHistogram()

  /// The number of all actions.
  public var count: Int { outcomes.total }

  mutating func add(_ sample: borrowing MetricsSample) {
    outcomes.add(sample.outcome)
    if let time = sample.waited { waited.add(time) }
    if let time = sample.reduced { reduced.add(time) }
    if let time = sample.delivered { delivered.add(time) }
  }
}

/// The numbers of actions with each outcome.
public struct OutcomeCounts: Sendable, Hashable {
  /// The number of actions that were reduced as they were dispatched.
  public private(set) var reduced = 0

  /// The number of actions in whose place another one was reduced.
  public private(set) var replaced = 0

  /// The number of actions that an interceptor has dropped.
  public private(set) var dropped = 0

  /// The number of actions that an interceptor has held. Each that went on later is counted once more.
  public private(set) var held = 0

  /// The number of actions whose task was cancelled.
  public private(set) var revoked = 0

  /// Commits that have thrown, or for whose part there was no state.
  public private(set) var failed = 0

  /// All of them.
  public var total: Int { reduced + replaced + dropped + held + revoked + failed }

  mutating func add(_ outcome: LoggedOutcome) {
    switch outcome {
    case .reduced: reduced += 1
    case .replaced: replaced += 1
    case .dropped: dropped += 1
    case .held: held += 1
    case .revoked: revoked += 1
    case .failed: failed += 1
    }
  }
}

extension RecordedValue {
  /// Makes the measurements of a recording's file, in which a report becomes a list of its keys.
  ///
  /// - The keys that were seen most often come first, then what has no key of its own. Without keys the list has all
  ///   actions as one.
  init(_ report: MetricsReport) {
    let keyed = report.byKey.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    var actions = keyed.map { RecordedValue(name: $0.key, $0.value) }
    if report.other.count > 0 {
      actions.append(RecordedValue(name: "other", report.other))
    } else if keyed.isEmpty, report.all.count > 0 {
      actions.append(RecordedValue(name: "all", report.all))
    }
    self = .object(RecordedObject([.init("actions", .array(actions))]))
  }

  private init(name: String, _ metrics: ActionMetrics) {
    var members: [RecordedObject.Member] = [.init("name", .string(name)), .init("count", RecordedValue(metrics.count))]
    for (stage, times) in [("waited", metrics.waited), ("reduced", metrics.reduced), ("delivered", metrics.delivered)]
    where times.count > 0 {
      members.append(.init(stage, .array([50, 95, 99].compactMap(times.percentile).map(RecordedValue.init(time:)))))
    }
    self = .object(RecordedObject(members))
  }

  /// Makes a time in microseconds, without ".0" if that is a whole number.
  private init(time: Duration) {
    let microseconds = time.microseconds
    self = Int64(exactly: microseconds).map(RecordedValue.integer) ?? .double(microseconds)
  }
}

/// Rows of cells in columns: the first aligned to the left, all others to the right.
private struct TextTable {
  private var rows: [[String]]

  init(header: [String]) {
    rows = [header]
  }

  mutating func add(_ row: [String]) {
    rows.append(row)
  }
}

extension TextTable: CustomStringConvertible {
  var description: String {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + space : space + cell.0
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
