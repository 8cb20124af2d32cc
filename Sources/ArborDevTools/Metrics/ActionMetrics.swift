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
    guard let times = sample.times else { return }
    waited.add(times.waited)
    if let time = times.reduced { reduced.add(time) }
    if let time = times.delivered { delivered.add(time) }
  }
}
