/// The amount of work to measure.
struct Scale {
  /// The number of runs of a row. The table shows the median of their results.
  let runs: Int

  /// The number of rounds of a run. Its result is their mean.
  let rounds: Int

  private let divisor: Int

  static let full = Scale(runs: 7, rounds: 10, divisor: 1)
  static let quick = Scale(runs: 1, rounds: 1, divisor: 1000)

  /// A number of operations in a round, reduced according to the scale.
  func count(_ full: Int) -> Int {
    max(full / divisor, 1)
  }
}
