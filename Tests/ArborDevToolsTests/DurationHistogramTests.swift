import ArborDevTools
import TestSupport
import Testing

@Suite("Duration histograms", .oneThread)
struct DurationHistogramTests {
  static let percents: [Double] = [0, 0.1, 1, 10, 25, 50, 75, 90, 99, 99.9, 100]

  /// Returns durations of all lengths, different for each seed.
  private func durations(_ seed: UInt64, count: Int) -> [Int64] {
    var number = seed
    return (0..<count).map { _ in
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64((number >> 1) >> ((number >> 20) % 63))
    }
  }

  private func histogram(_ nanoseconds: [Int64]) -> DurationHistogram {
    var histogram = DurationHistogram()
    for nanoseconds in nanoseconds { histogram.add(.nanoseconds(nanoseconds)) }
    return histogram
  }

  /// Returns `true` if a duration is close enough to a number of nanoseconds.
  private func isNear(_ duration: Duration, _ exact: Int64) -> Bool {
    // Compares whole numbers, because floating-point numbers would add an error.
    (duration.attoseconds / 1_000_000_000 - Int128(exact)).magnitude * 64 <= exact.magnitude
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64], [1, 2, 10, 999, 20_000])
  func `percentiles equal those of the sorted durations within the relative error`(seed: UInt64, count: Int) throws {
    let durations = durations(seed, count: count)
    let (sorted, histogram) = (durations.sorted(), histogram(durations))
    #expect(histogram.count == count)
    #expect(histogram.maximum == .nanoseconds(sorted[count - 1]))
    for percent in Self.percents {
      let rank = max(Int((percent / 100 * Double(count)).rounded(.up)), 1)
      let found = try #require(histogram.percentile(percent))
      #expect(isNear(found, sorted[rank - 1]))
      #expect(found <= histogram.maximum)
    }
  }

  @Test func `every length, at both ends of every doubling, is within the relative error`() throws {
    for exponent in 0..<63 {
      for offset in [-1, 0, 1] as [Int64] {
        let exact = max((1 << Int64(exponent)) + offset, 0)
        // The longer duration prevents the maximum from correcting the result.
        let found = try #require(histogram([exact, .max]).percentile(50))
        #expect(isNear(found, exact))
      }
    }
  }

  @Test func `the relative error is 1/64`() {
    #expect(DurationHistogram.relativeError == 1.0 / 64)
  }

  @Test func `durations below 64 nanoseconds are exact`() {
    for exact in 0..<64 as Range<Int64> {
      #expect(histogram([exact, 1000]).percentile(50) == .nanoseconds(exact))
    }
  }

  @Test func `an empty histogram has no percentiles`() {
    #expect(DurationHistogram().percentile(50) == nil)
    #expect(DurationHistogram().maximum == .zero)
    #expect(DurationHistogram().count == 0)
  }

  @Test func `percentages out of bounds are clamped`() {
    let histogram = histogram([1, 2, 3])
    for percent in [-1, -Double.infinity] { #expect(histogram.percentile(percent) == .nanoseconds(1)) }
    for percent in [101, Double.infinity, .nan] { #expect(histogram.percentile(percent) == .nanoseconds(3)) }
  }

  @Test func `zero is zero, a negative duration counts as zero, and one beyond 292 years as 292 years`() {
    var histogram = DurationHistogram()
    histogram.add(.zero)
    histogram.add(.nanoseconds(-5))
    histogram.add(Duration(attoseconds: .min))
    histogram.add(Duration(attoseconds: .max))
    #expect(histogram.count == 4)
    #expect(histogram.percentile(75) == .zero)
    #expect(histogram.percentile(100) == .nanoseconds(Int64.max))
    #expect(histogram.maximum == .nanoseconds(Int64.max))
  }
}
