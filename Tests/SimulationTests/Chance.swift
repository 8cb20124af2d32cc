/// Decides when other threads interrupt, as a pure function of the seed and the place in the schedule. So a shortened
/// schedule has the same interruptions in the operations that remain.
struct Chance: Sendable {
  let seed: UInt64

  /// The turns, out of the possible next ones, that another thread runs at a moment when it may interrupt.
  ///
  /// - Parameters:
  ///   - operation: The number of the operation in its schedule.
  ///   - moment: The number of such moments before this one in the operation.
  ///   - rarity: The average number of moments per interruption.
  func preemption(operation: Int, moment: Int, rarity: UInt64) -> Range<Int> {
    let mixed = Digest.mix(Digest.mix(seed, UInt64(operation)), UInt64(moment))
    guard (mixed >> 16).isMultiple(of: rarity) else { return 0..<0 }
    let first = Int(mixed >> 50)
    return first..<first + 1 + Int(mixed >> 8 & 3)
  }
}
