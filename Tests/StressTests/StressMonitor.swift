import Arbor

/// Counts the outcomes of a tree's actions.
final class StressMonitor: StoreMonitor, @unchecked Sendable {  // The counts belong to the tree's queue.
  private let witness: OverlapWitness
  private let ground: Ground
  private(set) var reduced = 0
  private(set) var dropped = 0
  private var tasks = 0
  let timingInterval: Int

  init(_ witness: OverlapWitness, _ ground: Ground) {
    self.witness = witness
    self.ground = ground
    timingInterval = ground.dice.roll(3)
  }

  func wantsStates(of action: borrowing MonitoredAction) -> Bool { ground.dice.hits(oneIn: 5) }

  func monitor(_ record: borrowing ActionRecord) {
    witness.within("monitor") {
      switch record.outcome {
      case .reduced, .replaced: reduced += 1
      case .dropped: dropped += 1
      case .held, .revoked, .failed: return
      }
      for transition in record.states {
        guard let before = transition.before as? Ledger, let after = transition.after as? Ledger else { continue }
        ground.flaws.expect(before.right < after.right, "a monitor received states without a change between them")
      }
    }
  }

  func monitor(_ event: StoreEvent, at time: Duration) {
    witness.within("monitor") {
      switch event {
      case .taskStarted: tasks += 1
      case .taskFinished, .taskCancelled, .taskFailed: tasks -= 1
      default: break
      }
    }
  }

  /// Checks at rest.
  func check(reduced expected: Int, dropped expectedDropped: Int) {
    ground.flaws.expect(reduced == expected, "the monitor saw \(reduced) actions reduced, the root \(expected)")
    ground.flaws.expect(
      dropped == expectedDropped, "the monitor saw \(dropped) actions dropped, not \(expectedDropped)")
    ground.flaws.expect(tasks == 0, "the monitor saw \(tasks) more tasks begin than end")
  }
}
