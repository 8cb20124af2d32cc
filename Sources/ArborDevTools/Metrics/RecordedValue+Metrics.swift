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
