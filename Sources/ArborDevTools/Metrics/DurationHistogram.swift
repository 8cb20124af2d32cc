/// A histogram of durations that takes little memory.
///
/// - **Error.** A duration below 64 ns is kept exactly, in whole nanoseconds; a longer one with a relative error of at most
///   ``relativeError``. The count and the maximum are exact, and so is a percentile that is the maximum.
/// - **Bounds.** A negative duration counts as zero, one beyond 292 years as 292 years.
/// - **Memory.** At most 15 kB, however many there are; 4 kB as long as none reaches a millisecond.
/// - **Cost.** To add one is constant, and allocates nothing unless it is longer than all before.
public struct DurationHistogram: Sendable, Hashable {
  /// The greatest relative error of a percentile: 1/64.
  public static let relativeError = 1.0 / 64

  /// The number of durations.
  public private(set) var count = 0

  private var longest: Int64 = 0
  private var buckets: [Int] = []

  /// Makes an empty one.
  public init() {}

  /// The longest; zero if there is none.
  public var maximum: Duration { .nanoseconds(longest) }

  /// About the shortest duration that so many percent of all are not longer than; nil if there is none.
  ///
  /// - Parameter percent: A number from 0, for the shortest of all, to 100, for the longest. Less counts as 0, more as
  ///   100, and so does what is not a number.
  public func percentile(_ percent: Double) -> Duration? {
    guard count > 0 else { return nil }
    let part = percent < 100 ? max(percent, 0) / 100 : 1
    let rank = max(Int((part * Double(count)).rounded(.up)), 1)
    guard rank < count else { return maximum }
    var seen = 0
    for (index, bucket) in buckets.enumerated() {
      seen += bucket
      if seen >= rank { return .nanoseconds(min(DurationBucket.middle(of: index), longest)) }
    }
    return maximum
  }

  /// Adds a duration.
  ///
  /// - Parameter duration: The duration. A negative one counts as zero.
  public mutating func add(_ duration: Duration) {
    add(duration.nanoseconds)
  }

  /// Adds a number of nanoseconds that is not negative.
  mutating func add(_ nanoseconds: Int64) {
    let index = DurationBucket.index(of: nanoseconds)
    if index >= buckets.count { grow(to: index) }
    buckets[index] += 1
    count += 1
    longest = max(longest, nanoseconds)
  }

  private mutating func grow(to index: Int) {
    let size = (index / DurationBucket.perDoubling + 1) * DurationBucket.perDoubling
    buckets.append(contentsOf: repeatElement(0, count: size - buckets.count))
  }
}

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
