/// The times of the last frames: their number per second, and the work for each.
struct FrameTimes {
  private var frames: [(begin: ContinuousClock.Instant, work: Duration)] = []

  /// Records a frame, and keeps the last 60.
  mutating func note(begin: ContinuousClock.Instant, work: Duration) {
    if frames.count == 61 { frames.removeFirst() }
    frames.append((begin, work))
  }

  /// The frames per second and the median work for one.
  var text: String {
    guard let first = frames.first, let last = frames.last, frames.count > 1 else { return "" }
    let rate = Double(frames.count - 1) / ((last.begin - first.begin) / .seconds(1))
    let median = frames.map(\.work).sorted()[frames.count / 2] / .milliseconds(1)
    return "\(Int(rate.rounded())) frames/s, \(Double(Int(median * 10)) / 10) ms of work each "
  }
}
