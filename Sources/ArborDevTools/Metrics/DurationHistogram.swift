/// A histogram of durations that uses little memory.
///
/// - **Error.** Durations below 64 ns are kept exactly, in whole nanoseconds. Longer ones have a relative error of at
///   most ``relativeError``. The count and the maximum are exact, and so is a percentile that is the maximum.
/// - **Bounds.** A negative duration counts as zero, and one beyond 292 years as 292 years.
/// - **Memory.** At most 15 kB, for any number of durations; 4 kB if none of them reaches a millisecond.
/// - **Cost.** Adding a duration takes constant time. It only allocates memory if the duration is longer than all before.
public struct DurationHistogram: Sendable, Hashable {
  /// The maximum relative error of a percentile: 1/64.
  public static let relativeError = 1.0 / 64

  /// The number of durations.
  public private(set) var count = 0

  private var longest: Int64 = 0
  private var buckets: [Int] = []

  /// Makes an empty histogram.
  public init() {}

  /// The longest duration; zero if there is none.
  public var maximum: Duration { .nanoseconds(longest) }

  /// Returns approximately the shortest duration that at least a given percentage of all durations don't exceed; nil if
  /// there is none.
  ///
  /// - Parameter percent: A number from 0, for the shortest duration, to 100, for the longest. Lower numbers count as 0.
  ///   Higher numbers and NaN count as 100.
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

  /// Adds a non-negative number of nanoseconds.
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

/// The buckets of a ``DurationHistogram``: each doubling has 32 of equal width, so none is wider than 1/32 of its
/// durations.
enum DurationBucket {
  private static let bits = 5

  /// The number of buckets for each doubling, and also for the exact durations below the first doubling.
  static let perDoubling = 1 << bits

  /// Returns the bucket of a non-negative number of nanoseconds.
  static func index(of nanoseconds: Int64) -> Int {
    let shift = max(63 - bits - (nanoseconds | 1).leadingZeroBitCount, 0)
    // The highest bit is kept, which adds one more doubling.
    return shift * perDoubling + Int(nanoseconds >> Int64(shift))
  }

  /// Returns the number in the middle of a bucket. Numbers in the bucket differ from it by at most half the bucket's
  /// width.
  static func middle(of index: Int) -> Int64 {
    let shift = max(index / perDoubling - 1, 0)
    let start = Int64(index - shift * perDoubling) << Int64(shift)
    return start + (1 << Int64(shift)) / 2
  }
}
