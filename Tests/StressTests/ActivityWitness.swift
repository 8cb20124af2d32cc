import Arbor

/// An activity of the stress test: who emitted it, and as which one.
struct StressActivity: Sendable {
  let lane: Int
  let sequence: Int
}

/// Sees that each lane's activities are heard once, in order.
final class ActivityWitness: @unchecked Sendable {  // What is heard belongs to the queue.
  private let flaws: FlawList
  private var next = [Int](repeating: 0, count: Ledger.lanes)
  private var strays = 0

  /// The activities that were emitted in no lane.
  let straysEmitted = Counter()

  init(_ flaws: FlawList) {
    self.flaws = flaws
  }

  func hear(_ activity: StressActivity) {
    guard activity.lane != Slip.noLane else {
      strays += 1
      return
    }
    if activity.sequence != next[activity.lane] {
      flaws.note("activity \(activity.sequence) of lane \(activity.lane) where \(next[activity.lane]) was to come")
    }
    next[activity.lane] = activity.sequence + 1
  }

  /// Checks at rest that all were heard.
  func check(emitted: [Int]) {
    flaws.expect(next == emitted, "activities heard: \(next), emitted: \(emitted)")
    let straysEmitted = straysEmitted.value
    flaws.expect(strays == straysEmitted, "\(straysEmitted) activities of callbacks were emitted, \(strays) heard")
  }
}
