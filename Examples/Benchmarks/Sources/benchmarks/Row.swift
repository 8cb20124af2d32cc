/// A claim about speed: a workload, its limit, and the allowed ratio.
struct Row: Sendable {
  /// Closures that measure a workload and its limit once each: in nanoseconds per operation, or in the unit that the
  /// row names; nil if the platform does not report it.
  typealias Measurement = (work: () -> Double?, limit: () -> Double)

  let workload: String
  let limit: String

  /// The maximum ratio to the limit; nil for a row that is only informative.
  let budget: Double?

  /// The number of rounds of a run, if fewer are enough; nil for the number in the scale.
  var rounds: Int?

  /// Sets both up.
  let prepare: @Sendable (Scale) -> Measurement

  func measure(_ scale: Scale) -> RowResult {
    let measurement = prepare(scale)
    let rounds = rounds ?? scale.rounds
    _ = run(measurement, rounds: rounds)
    let runs = (0..<scale.runs).map { _ in run(measurement, rounds: rounds) }
    let works = runs.compactMap(\.work)
    return RowResult(
      row: self,
      work: works.isEmpty ? nil : median(of: works),
      limit: median(of: runs.map(\.limit))
    )
  }

  /// Takes the mean of some rounds. Work and limit alternate, so that other load on the machine affects both, and a run
  /// sees producer and consumer on one core as well as on two.
  private func run(_ measurement: Measurement, rounds: Int) -> (work: Double?, limit: Double) {
    var work: Double? = 0
    var limit = 0.0
    for _ in 0..<rounds {
      work = measurement.work().flatMap { round in work.map { $0 + round } }
      limit += measurement.limit()
    }
    return (work.map { $0 / Double(rounds) }, limit / Double(rounds))
  }

  private func median(of values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}

extension Row {
  static let all: [Row] =
    floodRows + observerRows + memoryRows + depthRows + largeStateRows + scopeRows + waitingRows + manyTreesRows
    + watchingRows
    + selectorRows
    + effectRows + featureRows + stampedRows + commitRows + monitorRows + recordingRows + testStoreRows + entityRows
    + entityPeerRows
    + entityWatchingRows + screenRows + persistenceRows + codingRows + databaseRows + sharedRows + requestRows
}
