import Arbor
import Foundation
import TestSupport
import Testing

@Suite("Effect backoff")
struct EffectBackoffTests {
  static let century = Duration.seconds(100 * 365 * 24 * 60 * 60)

  /// One backoff of each kind, with extreme numbers.
  static let hostile: [EffectBackoff] = [
    .constant(.seconds(-1)),
    .constant(Duration(attoseconds: .min)),
    .constant(Duration(attoseconds: .max)),
    .constant(Duration(attoseconds: 1)),
    .linear(initial: .seconds(-1), step: .seconds(-1)),
    .linear(initial: Duration(attoseconds: .max), step: Duration(attoseconds: .max)),
    .linear(initial: .zero, step: Duration(attoseconds: 1)),
    .exponential(initial: .seconds(-1)),
    .exponential(initial: Duration(attoseconds: .max)),
    .exponential(initial: .zero, factor: .infinity),
    .exponential(initial: .seconds(1), factor: .infinity),
    .exponential(initial: .seconds(1), factor: -.infinity),
    .exponential(initial: .seconds(1), factor: .nan),
    .exponential(initial: .seconds(1), factor: -2),
    .exponential(initial: .seconds(1), factor: 0),
    .exponential(initial: .seconds(1), factor: .leastNonzeroMagnitude),
    .exponential(initial: Duration(attoseconds: 1), factor: 1.000_000_1),
  ]

  static let attempts = [Int.min, -1, 0, 1, 2, 3, 4, 63, 64, 65, 1_025, 1_000_000, 1 << 53, Int.max - 1, Int.max]

  func delays(_ backoff: EffectBackoff, before attempts: ClosedRange<Int> = 1...6) -> [Duration] {
    attempts.map(backoff.delay(before:))
  }

  @Test func `none never waits`() {
    #expect(delays(.none) == Array(repeating: .zero, count: 6))
  }

  @Test func `a constant delay is the same before each retry, and zero before the first attempt`() {
    #expect(delays(.constant(.milliseconds(250)), before: 1...4) == [0, 250, 250, 250].map { .milliseconds($0) })
  }

  @Test func `a linear delay grows by its step`() {
    let backoff = EffectBackoff.linear(initial: .milliseconds(100), step: .milliseconds(30))
    #expect(delays(backoff) == [0, 100, 130, 160, 190, 220].map { .milliseconds($0) })
  }

  @Test func `an exponential delay doubles by default`() {
    #expect(delays(.exponential(initial: .seconds(1))) == [0, 1, 2, 4, 8, 16].map { .seconds($0) })
  }

  @Test(arguments: [1, 2, 3, 7, 10])
  func `an exponential delay with a whole factor is exact to the attosecond`(factor: Int) {
    let initial = Duration(attoseconds: 123_456_789_012_345_679)
    let backoff = EffectBackoff.exponential(initial: initial, factor: Double(factor))
    var expected = initial
    for attempt in 2...10 {
      #expect(backoff.delay(before: attempt) == expected)
      expected *= factor
    }
  }

  @Test func `an exponential delay accepts a fractional factor`() {
    let growing = EffectBackoff.exponential(initial: .seconds(1), factor: 1.5)
    #expect(delays(growing, before: 2...5) == [1_000, 1_500, 2_250, 3_375].map { .milliseconds($0) })
    let shrinking = EffectBackoff.exponential(initial: .seconds(1), factor: 0.5)
    #expect(delays(shrinking, before: 2...5) == [1_000, 500, 250, 125].map { .milliseconds($0) })
  }

  @Test func `no delay is longer than the cap`() {
    let backoff = EffectBackoff.exponential(initial: .seconds(1)).capped(at: .seconds(5))
    #expect(delays(backoff) == [0, 1, 2, 4, 5, 5].map { .seconds($0) })
    #expect(backoff.delay(before: .max) == .seconds(5))
    #expect(EffectBackoff.constant(.seconds(9)).capped(at: .seconds(5)).delay(before: 2) == .seconds(5))
    let linear = EffectBackoff.linear(initial: .zero, step: .seconds(3)).capped(at: .seconds(5))
    #expect(delays(linear, before: 2...5) == [0, 3, 5, 5].map { .seconds($0) })
  }

  @Test func `a negative cap counts as zero, and one above a hundred years as a hundred years`() {
    let backoff = EffectBackoff.exponential(initial: .seconds(1))
    #expect(backoff.capped(at: .seconds(-1)).delay(before: 9) == .zero)
    #expect(backoff.capped(at: Duration(attoseconds: .max)).delay(before: .max) == Self.century)
  }

  @Test func `a repeated cap or jitter replaces the earlier one`() {
    let backoff = EffectBackoff.constant(.seconds(9))
    #expect(backoff.capped(at: .seconds(1)).capped(at: .seconds(5)) == backoff.capped(at: .seconds(5)))
    #expect(backoff.jittered(by: 1, seed: 1).jittered(by: 0.1, seed: 2) == backoff.jittered(by: 0.1, seed: 2))
  }

  @Test func `a cap and jitter may be given in either order`() {
    let backoff = EffectBackoff.exponential(initial: .seconds(1))
    let jitteredLast = backoff.capped(at: .seconds(3)).jittered(by: 0.5, seed: 7)
    #expect(jitteredLast == backoff.jittered(by: 0.5, seed: 7).capped(at: .seconds(3)))
    #expect(delays(jitteredLast, before: 4...60).contains { $0 < .seconds(3) })
  }

  @Test(arguments: [0.1, 0.5, 1])
  func `jitter removes at most its fraction of a delay, from nearly all of it to nearly none`(fraction: Double) {
    let backoff = EffectBackoff.constant(.seconds(10)).jittered(by: fraction, seed: 7)
    let whole = Duration.seconds(10)
    let parts: [Double] = delays(backoff, before: 2...2_001).map { delay in (whole - delay) / whole / fraction }
    #expect(parts.allSatisfy { $0 >= 0 && $0 <= 1.000_001 })
    #expect(parts.min()! < 0.01)
    #expect(parts.max()! > 0.99)
    let mean: Double = parts.reduce(0, +) / Double(parts.count)
    #expect(abs(mean - 0.5) < 0.02)
  }

  @Test func `the same seed gives the same delays, and another seed others`() {
    let backoff = EffectBackoff.exponential(initial: .seconds(1))
    let seeds: [UInt64] = [0, 1, 2, 7, .max]
    let rows = seeds.map { seed in delays(backoff.jittered(by: 0.5, seed: seed), before: 2...20) }
    #expect(rows == seeds.map { seed in delays(backoff.jittered(by: 0.5, seed: seed), before: 2...20) })
    #expect(Set(rows.joined()).count == seeds.count * 19)
  }

  @Test func `jitter uses SplitMix64, on every platform and forever`() {
    var generator = SplitMix64(seed: 7)
    _ = generator.next()
    let backoff = EffectBackoff.constant(.seconds(1)).jittered(by: 1, seed: 7)
    for attempt in 2...50 {
      let part = Double(generator.next() >> 11) / 0x1p53
      #expect(backoff.delay(before: attempt) == .seconds(1) - .seconds(1) * part)
    }
  }

  @Test func `the first attempt has no jitter`() {
    #expect(EffectBackoff.constant(.seconds(1)).jittered(by: 1, seed: 7).delay(before: 1) == .zero)
  }

  @Test func `an out-of-range fraction is clamped`() {
    let backoff = EffectBackoff.constant(.seconds(1))
    for fraction: Double in [-1, -.infinity, .nan] {
      #expect(backoff.jittered(by: fraction, seed: 7) == backoff.jittered(by: 0, seed: 7))
    }
    for fraction: Double in [1.5, .infinity] {
      #expect(backoff.jittered(by: fraction, seed: 7) == backoff.jittered(by: 1, seed: 7))
    }
    #expect(delays(backoff.jittered(by: .nan, seed: 7)) == delays(backoff))
  }

  @Test func `an out-of-range factor is clamped`() {
    func delays(_ factor: Double) -> [Duration] {
      self.delays(.exponential(initial: .seconds(1), factor: factor), before: 2...4)
    }
    #expect(delays(0) == [.seconds(1), .zero, .zero])
    #expect(delays(-2) == delays(0))
    #expect(delays(-.infinity) == delays(0))
    #expect(delays(.nan) == delays(1))
    #expect(delays(.infinity) == [.seconds(1), Self.century, Self.century])
  }

  @Test(arguments: hostile)
  func `with any parameters, each delay is between zero and the cap`(backoff: EffectBackoff) {
    let cap = Duration.seconds(3)
    for attempt in Self.attempts {
      #expect((.zero...Self.century).contains(backoff.delay(before: attempt)))
      for fraction: Double in [0.5, 1, .nan, -.infinity, .infinity] {
        let jittered = backoff.jittered(by: fraction, seed: .max)
        #expect((.zero...backoff.delay(before: attempt)).contains(jittered.delay(before: attempt)))
        #expect((.zero...cap).contains(jittered.capped(at: cap).delay(before: attempt)))
      }
    }
  }

  @Test(arguments: hostile)
  func `a backoff equals itself and its copy decoded from JSON`(backoff: EffectBackoff) throws {
    let backoff = backoff.capped(at: .seconds(30)).jittered(by: 0.2, seed: .max)
    let decoded = try JSONDecoder().decode(EffectBackoff.self, from: JSONEncoder().encode(backoff))
    #expect(decoded == backoff)
    #expect(decoded.hashValue == backoff.hashValue)
    #expect(Self.attempts.allSatisfy { decoded.delay(before: $0) == backoff.delay(before: $0) })
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e308, -1e308])
  func `decoded out-of-range numbers are clamped`(number: Double) throws {
    let original = EffectBackoff.exponential(initial: .seconds(1)).jittered(by: 0.25, seed: 7)
    var fields = try #require(JSONSerialization.jsonObject(with: JSONEncoder().encode(original)) as? [String: Any])
    for name in ["factor", "jitter"] {
      #expect(fields[name] is Double)
      // JSON cannot represent numbers that are not finite.
      fields[name] = number.isFinite ? number : "\(number)"
    }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy =
      .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let decoded = try decoder.decode(EffectBackoff.self, from: JSONSerialization.data(withJSONObject: fields))
    #expect(decoded == .exponential(initial: .seconds(1), factor: number).jittered(by: number, seed: 7))
    #expect(Self.attempts.allSatisfy { (.zero...Self.century).contains(decoded.delay(before: $0)) })
  }
}
