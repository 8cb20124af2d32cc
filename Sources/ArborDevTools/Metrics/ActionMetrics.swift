/// The counts of some actions, and the times of a sample of them.
public struct ActionMetrics: Sendable, Hashable {
  /// How all of them came out.
  public private(set) var outcomes = OutcomeCounts()

  /// How long those of the sample waited for their turn.
  public private(set) var waited = DurationHistogram()

  /// How long the reducers took, for those of the sample that came to them.
  public private(set) var reduced = DurationHistogram()

  /// How long the observers took, for those of the sample that ended a step: of a batch the last one.
  public private(set) var delivered = DurationHistogram()

  /// How many actions there were.
  public var count: Int { outcomes.total }

  mutating func add(_ sample: borrowing MetricsSample) {
    outcomes.add(sample.outcome)
    guard let times = sample.times else { return }
    waited.add(times.waited)
    if let time = times.reduced { reduced.add(time) }
    if let time = times.delivered { delivered.add(time) }
  }
}
