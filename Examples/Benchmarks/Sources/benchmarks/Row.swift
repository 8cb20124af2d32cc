/// A claim about speed: a workload, what it is measured against, and by how much it may be slower.
struct Row: Sendable {
  let workload: String
  let limit: String
  let budget: Double

  /// Sets both up and returns what measures each once, in nanoseconds an operation (or the unit that the row names).
  let prepare: @Sendable (Scale) -> (work: () -> Double, limit: () -> Double)

  /// Runs work and limit in turn, so that what else the machine does hits both.
  func measure(_ scale: Scale) -> RowResult {
    let (work, limit) = prepare(scale)
    _ = (work(), limit())
    let pairs = (0..<scale.runs).map { _ in (work(), limit()) }
    return RowResult(row: self, work: median(of: pairs.map { $0.0 }), limit: median(of: pairs.map { $0.1 }))
  }

  private func median(of values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}

extension Row {
  static let all: [Row] =
    floodRows + observerRows + depthRows + largeStateRows + scopeRows + waitingRows
}
