import Arbor
import Dispatch
import Foundation
import TestSupport
import Testing

/// Tests with real threads at the same time: the guarantees must hold here as they do step by step.
///
/// - `ARBOR_STRESS_SECONDS` is the duration for new rounds. Without it, there is a fixed number of rounds.
/// - `ARBOR_STRESS_SEED` is the seed of the first round.
@Suite(.serialized) struct StressTests {
  private static let seed: UInt64 = Setting.number("ARBOR_STRESS_SEED") ?? UInt64.random(in: 0..<1_000_000)

  @Test func `O1 to W2 all features together on two trees, used by many threads`() async {
    let seconds: Double? = Setting.number("ARBOR_STRESS_SECONDS")
    let start = ContinuousClock.now
    var round: UInt64 = 0
    while seconds.map({ ContinuousClock.now - start < .seconds($0) }) ?? (round < max(repetitions(6), 2)) {
      let seed = StressTests.seed &+ round
      // A crash or hang can print nothing later.
      if seconds != nil || round == 0 { FileHandle.standardError.write(Data("ARBOR_STRESS_SEED=\(seed)\n".utf8)) }
      round += 1
      let flaws = await onOwnThread { StressRound(seed: seed, operations: 600).play() }
      guard flaws.isEmpty else {
        Issue.record("ARBOR_STRESS_SEED=\(seed):\n\(flaws.joined(separator: "\n"))")
        return
      }
    }
    if let seconds { print("ARBOR_STRESS_SEED=\(StressTests.seed): \(round) rounds in \(seconds) seconds") }
  }

  @Test(.reports("used after its owner was released"))
  func `O5, L2 a tree released amid dispatches reduces everything that it accepted, and then is freed`() {
    for _ in 0..<50 {
      let freed = DispatchSemaphore(value: 0)
      let tree = ReleasedTree(freed: freed)
      onThreads(ReleasedTree.threads) { thread in
        for sequence in 0..<100 {
          if thread == 0, sequence == 50 { tree.release() }
          tree.store.dispatch((thread, sequence))
        }
      }
      freed.wait()
      let reduced = tree.reduced
      #expect(reduced[0] == Array(0..<50))
      for sequences in reduced {
        #expect(sequences == Array(0..<sequences.count), "Once refused, always refused")
      }
    }
  }
}
