/// A report of the counts of a ``MetricsMonitor`` at one moment.
///
/// - Its description consists of a table of the counts, and one table each of the times waited, reduced and delivered.
public struct MetricsReport: Sendable, Hashable {
  /// The metrics of all actions.
  public let all: ActionMetrics

  /// The metrics of the actions with their own key, by that key.
  ///
  /// Together with ``other``, they cover all actions. If the monitor has no keys, both are empty.
  public let byKey: [String: ActionMetrics]

  /// The metrics of the actions without their own key.
  ///
  /// An action is counted here if its key is too long or came after the maximum number of keys. The same applies if it
  /// has no key, for example because its type isn't the one that has keys.
  public let other: ActionMetrics

  /// The sampling interval: the times of one action in this many were requested; 0 for none.
  public let timingInterval: Int
}

extension MetricsReport: CustomStringConvertible {
  /// The tables of the report.
  public var description: String {
    let times: [(String, KeyPath<ActionMetrics, DurationHistogram>)] =
      [("waited", \.waited), ("reduced", \.reduced), ("delivered", \.delivered)]
    let tables = [outcomes] + times.compactMap { table($0, of: $1) }
    return tables.map(\.description).joined(separator: "\n\n")
  }

  private typealias Row = (name: String, metrics: ActionMetrics)

  /// The rows: first all actions, then the keys by descending count, and then the other actions.
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

  /// Returns a table of times; nil if there are none.
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

/// The counts of a group of actions, and the times of a sample of them.
public struct ActionMetrics: Sendable, Hashable {
  /// The number of actions by outcome.
  public private(set) var outcomes = OutcomeCounts()

  /// The times that the sampled actions waited for their turn.
  public private(set) var waited = DurationHistogram()

  /// The times of the reducers, for the sampled actions that reached them.
  public private(set) var reduced = DurationHistogram()

  /// The times of the observers, for the sampled actions that ended a step; in a batch, only the last action does.
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

/// The number of actions by outcome.
public struct OutcomeCounts: Sendable, Hashable {
  /// The number of actions that were reduced as they were dispatched.
  public private(set) var reduced = 0

  /// The number of actions that were replaced with another one, which was reduced.
  public private(set) var replaced = 0

  /// The number of actions that an interceptor dropped.
  public private(set) var dropped = 0

  /// The number of actions that an interceptor held. An action that continues later is counted again.
  public private(set) var held = 0

  /// The number of actions whose task was canceled.
  public private(set) var revoked = 0

  /// The number of commits that threw an error, or that had no state for their part.
  public private(set) var failed = 0

  /// The number of all actions.
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
  /// Makes the metrics of a recording's file, in which a report is a list of its keys.
  ///
  /// - The most frequent keys come first, then the actions without their own key. If there are no keys, the list has one
  ///   entry for all actions.
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

  /// Makes a time in microseconds, without ".0" if it is a whole number.
  private init(time: Duration) {
    let microseconds = time.microseconds
    self = Int64(exactly: microseconds).map(RecordedValue.integer) ?? .double(microseconds)
  }
}

/// Rows of cells in columns. The first column is left-aligned, and all others are right-aligned.
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
