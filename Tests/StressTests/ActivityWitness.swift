import Arbor

/// An activity of the stress test: its emitter and its number.
struct StressActivity: Sendable {
  let lane: Int
  let sequence: Int
}

/// Checks that each lane's activities are received once, in order.
final class ActivityWitness: @unchecked Sendable {  // The received activities belong to the queue.
  private let flaws: FlawList
  private var next = [Int](repeating: 0, count: Ledger.lanes)
  private var strays = 0

  /// The number of activities that were emitted in no lane.
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
      flaws.note("activity \(activity.sequence) of lane \(activity.lane) instead of \(next[activity.lane])")
    }
    next[activity.lane] = activity.sequence + 1
  }

  /// Checks at rest that all were received.
  func check(emitted: [Int]) {
    flaws.expect(next == emitted, "activities received: \(next), emitted: \(emitted)")
    let straysEmitted = straysEmitted.value
    flaws.expect(strays == straysEmitted, "\(straysEmitted) activities of callbacks were emitted, \(strays) received")
  }
}
