import Synchronization
import TestSupport

/// Random numbers for the callbacks of a round, from any thread.
final class Dice: Sendable {
  private let seed: UInt64
  private let rolls = Atomic<UInt64>(0)

  init(seed: UInt64) {
    self.seed = seed
  }

  /// Returns a number from zero up to a limit.
  func roll(_ limit: Int) -> Int {
    var random = SplitMix64(seed: seed &+ rolls.add(1, ordering: .relaxed).newValue &* 0xA24B_AED4_963E_E407)
    return Int.random(in: 0..<limit, using: &random)
  }

  /// Returns `true` with a probability of one in a number.
  func hits(oneIn count: Int) -> Bool { roll(count) == 0 }
}
