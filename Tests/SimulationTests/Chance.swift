/// Where other threads come between, as a pure function of the seed and the place in the schedule: what is left of a schedule
/// when it is shortened meets the same chances.
struct Chance: Sendable {
  let seed: UInt64

  /// Which of the turns that may be next another thread runs at a moment at which it may come, one after the other.
  ///
  /// - Parameters:
  ///   - operation: The number of the operation in its schedule.
  ///   - moment: How many such moments there were before in the operation.
  ///   - rarity: Another thread comes at one moment in so many.
  func preemption(operation: Int, moment: Int, rarity: UInt64) -> Range<Int> {
    let mixed = Digest.mix(Digest.mix(seed, UInt64(operation)), UInt64(moment))
    guard (mixed >> 16).isMultiple(of: rarity) else { return 0..<0 }
    let first = Int(mixed >> 50)
    return first..<first + 1 + Int(mixed >> 8 & 3)
  }
}
