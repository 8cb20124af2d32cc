/// How much work a run does.
struct Scale {
  let runs: Int
  private let divisor: Int

  static let full = Scale(runs: 7, divisor: 1)
  static let quick = Scale(runs: 1, divisor: 1000)

  /// A number of operations, made smaller if the scale says so.
  func count(_ full: Int) -> Int {
    max(full / divisor, 1)
  }
}
