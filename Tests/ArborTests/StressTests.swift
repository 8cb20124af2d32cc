import Arbor
import Dispatch
import Foundation
import Synchronization
import Testing

/// Real threads, all at once: what holds step by step must hold here too.
@Suite(.serialized) struct StressTests {
  private static let actions = 200_000

  private static let seed: UInt64 =
    ProcessInfo.processInfo.environment["ARBOR_STRESS_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0..<1_000_000)

  @Test func `O1, O2, O5, N1, N2 no action is lost and no state is torn, whatever four threads do`() throws {
    let tree = StressTree()
    let workers = Protected([StressWorker]())
    onThreads(Ledger.threads) { thread in
      var worker = StressWorker(tree: tree, thread: thread, seed: StressTests.seed)
      worker.work(actions: StressTests.actions / Ledger.threads)
      workers.withLock { $0.append(worker) }
    }
    tree.replaceShared(depth: nil)
    let ledger = tree.factory.state
    let done = workers.withLock { $0 }
    let seed = Comment("ARBOR_STRESS_SEED=\(StressTests.seed)")
    #expect(ledger.violations == 0, seed)
    #expect(ledger.next == Array(repeating: StressTests.actions / Ledger.threads, count: Ledger.threads), seed)
    #expect(ledger.steps == done.reduce(0) { $0 + $1.steps } + ledger.sharedCount, seed)
    #expect(tree.reducedByTemporaries.load(ordering: .relaxed) == done.reduce(0) { $0 + $1.sentToTemporaries }, seed)
    #expect(tree.reducedByShared.load(ordering: .relaxed) == ledger.sharedCount, seed)
    #expect(done.flatMap(\.flaws) == [], seed)
    #expect(done.flatMap(\.witnesses).flatMap(\.flaws) == [], seed)
  }

  @Test func `O5, L2 a tree released amid dispatches reduces all that it accepted, and then is freed`() {
    for _ in 0..<50 {
      let freed = DispatchSemaphore(value: 0)
      let tree = ReleasedTree(freed: freed)
      onThreads(Ledger.threads) { thread in
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
