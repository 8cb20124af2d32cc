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
