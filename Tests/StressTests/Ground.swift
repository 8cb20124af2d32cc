import Arbor
import Dispatch
import Synchronization

/// Objects that the trees and threads of a round share.
final class Ground: Sendable {
  let seed: UInt64
  let threads: Int
  let flaws = FlawList()
  let census = Census()
  let dice: Dice
  let trees = Census()
  let patience = Patience()

  /// The queues of deliveries: a serial queue and a concurrent one.
  let queues = [
    DispatchQueue(label: "stress, serial"), DispatchQueue(label: "stress, concurrent", attributes: .concurrent),
  ]

  /// The number of times that callbacks may still act on their own.
  private let meddlings: Atomic<Int>
  private let resting = Atomic(false)

  private let completing = Protected<[StateWitness]>([])

  init(seed: UInt64, threads: Int, meddlings: Int) {
    self.seed = seed
    self.threads = threads
    dice = Dice(seed: seed)
    self.meddlings = Atomic(meddlings)
  }

  /// Returns `true` occasionally, a limited number of times, so that the actions of callbacks come to an end.
  func mayMeddle(oneIn count: Int) -> Bool {
    dice.hits(oneIn: count) && meddlings.subtract(1, ordering: .relaxed).oldValue > 0
  }

  /// `true` once nothing more should be done.
  var isResting: Bool { resting.load(ordering: .relaxed) }

  /// Stops callbacks from acting on their own.
  func endMeddling() {
    meddlings.store(0, ordering: .relaxed)
    resting.store(true, ordering: .relaxed)
  }

  /// Any quality of service.
  var anyQuality: DispatchQoS {
    [.unspecified, .background, .utility, .userInitiated, .userInteractive][dice.roll(5)]
  }

  func token(_ kind: String, deed: (@Sendable () -> Void)? = nil) -> StressToken {
    StressToken(kind, in: census, deed: deed)
  }

  /// Keeps a witness with the completion of its observer, which it must forget at the end.
  func keep(_ witness: StateWitness) {
    completing.withLock { $0.append(witness) }
  }

  /// Makes the kept witnesses forget the completions of their observers, because an observer holds its witness.
  func forgetCompletions() {
    let witnesses = completing.withLock { completing in
      defer { completing = [] }
      return completing
    }
    for witness in witnesses { witness.expectSilence() }
  }

  /// Waits until all waiting work on the queues was delivered.
  func flushQueues() {
    for queue in queues + [.main] { queue.sync(flags: .barrier) {} }
  }
}
