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
