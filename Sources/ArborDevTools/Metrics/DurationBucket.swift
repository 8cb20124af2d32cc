/// The buckets of a ``DurationHistogram``: 32 of the same width for each doubling, so none is wider than 1/32 of what is in it.
enum DurationBucket {
  private static let bits = 5

  /// The number of buckets for each doubling, and for the exact durations below the first doubling.
  static let perDoubling = 1 << bits

  /// The bucket of a number of nanoseconds that is not negative.
  static func index(of nanoseconds: Int64) -> Int {
    let shift = max(63 - bits - (nanoseconds | 1).leadingZeroBitCount, 0)
    // The highest bit stays in: it is worth one more doubling.
    return shift * perDoubling + Int(nanoseconds >> Int64(shift))
  }

  /// The number in the middle of a bucket: no number in there is farther from it than half its width.
  static func middle(of index: Int) -> Int64 {
    let shift = max(index / perDoubling - 1, 0)
    let start = Int64(index - shift * perDoubling) << Int64(shift)
    return start + (1 << Int64(shift)) / 2
  }
}
