/// The amount of work that is measured.
struct Scale {
  /// The number of runs of a row, of whose results the table shows the median.
  let runs: Int

  /// The number of rounds of a run, of whose results it takes the mean.
  let rounds: Int

  private let divisor: Int

  static let full = Scale(runs: 7, rounds: 10, divisor: 1)
  static let quick = Scale(runs: 1, rounds: 1, divisor: 1000)

  /// A number of operations in a round, made smaller if the scale says so.
  func count(_ full: Int) -> Int {
    max(full / divisor, 1)
  }
}
