internal import Arbor

/// The part of a record that goes into metrics.
struct MetricsSample: Sendable {
  /// In nanoseconds; what the action did not come to is nil.
  struct Times: Sendable {
    let waited: Int64
    let reduced: Int64?
    let delivered: Int64?
  }

  let outcome: LoggedOutcome
  let times: Times?

  init(_ record: borrowing ActionRecord) {
    outcome = LoggedOutcome(record.outcome)
    times = record.times.map { [outcome, isLast = record.isLastOfStep] times in
      let isReduced = outcome == .reduced || outcome == .replaced
      return Times(
        waited: times.waited.nanoseconds,
        reduced: isReduced ? times.reduced.nanoseconds : nil,
        // The last of a batch is delivered for all, even if it was dropped itself.
        delivered: isLast && (isReduced || times.delivered > .zero) ? times.delivered.nanoseconds : nil
      )
    }
  }
}
