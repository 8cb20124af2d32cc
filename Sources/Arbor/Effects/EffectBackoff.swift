/// The delays between the attempts of a ``JobState``.
///
/// ```swift
/// state.upload.run(
///   maxAttempts: 5,
///   backoff: .exponential(initial: .seconds(1)).capped(at: .seconds(30)).jittered(by: 0.5, seed: state.seed)
/// )
/// ```
///
/// - The first attempt never waits: the first delay comes before attempt 2.
/// - It is a pure value: the same backoff always gives the same delays, including the jitter.
/// - No argument stops the program. A negative duration counts as zero. No delay is longer than a hundred years, which
///   every clock can wait.
public struct EffectBackoff: Sendable, Hashable {
  package static let longest = Duration.seconds(100 * 365 * 86_400)

  package let initial: Duration
  package let step: Duration
  package let factor: Double
  package let maximum: Duration
  package let jitter: Double
  package let seed: UInt64

  /// The only initializer, so that each stored value is within its bounds. A factor that isn't a number would be
  /// unequal to itself, and JSON can't represent it.
  private init(
    initial: Duration,
    step: Duration = .zero,
    factor: Double = 1,
    maximum: Duration = longest,
    jitter: Double = 0,
    seed: UInt64 = 0
  ) {
    self.initial = min(max(initial, .zero), Self.longest)
    self.step = min(max(step, .zero), Self.longest)
    self.factor = factor.isNaN ? 1 : min(max(factor, 0), .greatestFiniteMagnitude)
    self.maximum = min(max(maximum, .zero), Self.longest)
    self.jitter = jitter.isNaN ? 0 : min(max(jitter, 0), 1)
    self.seed = seed
  }

  /// No delay: each attempt begins at once.
  public static let none = constant(.zero)

  /// Returns a backoff with the same delay before each retry.
  ///
  /// - Parameter delay: The delay before each attempt after the first.
  public static func constant(_ delay: Duration) -> EffectBackoff {
    EffectBackoff(initial: delay)
  }

  /// Returns a backoff whose delays grow by `step` each time: `initial` before attempt 2, `initial + step` before
  /// attempt 3.
  ///
  /// - Parameters:
  ///   - initial: The delay before attempt 2.
  ///   - step: The difference between each delay and the previous one.
  public static func linear(initial: Duration, step: Duration) -> EffectBackoff {
    EffectBackoff(initial: initial, step: step)
  }

  /// Returns a backoff whose delays are multiplied by `factor` each time: `initial` before attempt 2,
  /// `initial * factor` before attempt 3.
  ///
  /// - A factor below 1 makes the delays shorter and shorter; with 0, only the first retry waits.
  /// - A delay is exact as long as the power of the factor is a whole number below 2^53, and otherwise has the
  ///   precision of a `Double`.
  /// - Parameters:
  ///   - initial: The delay before attempt 2.
  ///   - factor: The ratio of each delay to the previous one. A negative factor counts as 0, an infinite one as the
  ///     greatest finite number, and one that isn't a number as 1.
  public static func exponential(initial: Duration, factor: Double = 2) -> EffectBackoff {
    EffectBackoff(initial: initial, factor: factor)
  }

  /// Returns the same backoff with no delay longer than `maximum`.
  ///
  /// - Jitter is applied after the cap, whichever of the two methods you call first: capped delays are spread, too.
  /// - Calling it again replaces the earlier cap.
  /// - Parameter maximum: The longest delay; a negative one counts as zero.
  public func capped(at maximum: Duration) -> EffectBackoff {
    EffectBackoff(initial: initial, step: step, factor: factor, maximum: maximum, jitter: jitter, seed: seed)
  }

  /// Returns the same backoff with each delay shortened by a pseudorandom part of itself.
  ///
  /// - Use it so that many programs or jobs that failed together don't retry together.
  /// - Each delay is at most the delay without jitter, and at least `1 - fraction` of it: with a fraction of 0.2, a
  ///   delay of 10 seconds becomes one of 8 to 10 seconds.
  /// - Calling it again replaces the earlier jitter.
  /// - Parameters:
  ///   - fraction: The greatest part of a delay that is cut off. Below 0 or not a number, it counts as 0; above 1, it
  ///     counts as 1.
  ///   - seed: The number that determines, together with the attempt, how much is cut off. Give each program, or each
  ///     of many jobs, a different seed.
  public func jittered(by fraction: Double, seed: UInt64) -> EffectBackoff {
    EffectBackoff(initial: initial, step: step, factor: factor, maximum: maximum, jitter: fraction, seed: seed)
  }

  /// Returns the delay before an attempt.
  ///
  /// - Every attempt costs about the same to compute, no matter how many came before.
  /// - Parameter attempt: The number of the attempt; 2 is the first retry. The delay is zero before attempt 1, and for
  ///   any number below 1.
  public func delay(before attempt: Int) -> Duration {
    guard attempt > 1 else { return .zero }
    let earlierRetries = attempt - 2
    let grown = initial.scaled(by: factor.power(earlierRetries)) + step.scaled(by: Double(earlierRetries))
    let delay = min(grown, maximum)
    let cut = delay.scaled(by: jitter * chance(of: attempt))
    return delay - min(cut, delay)
  }

  /// Returns a pseudorandom number from 0 to just below 1: SplitMix64 of the seed and the attempt.
  private func chance(of attempt: Int) -> Double {
    var mixed = seed &+ UInt64(truncatingIfNeeded: attempt) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Double(mixed >> 11) * 0x1p-53
  }
}

extension EffectBackoff: Codable {
  /// Decodes a backoff; values out of bounds are clamped, as in the factory methods.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      initial: container.decode(Duration.self, forKey: .initial),
      step: container.decode(Duration.self, forKey: .step),
      factor: container.decode(Double.self, forKey: .factor),
      maximum: container.decode(Duration.self, forKey: .maximum),
      jitter: container.decode(Double.self, forKey: .jitter),
      seed: container.decode(UInt64.self, forKey: .seed)
    )
  }
}

extension Duration {
  /// Returns the duration times a factor that isn't negative, clamped to approximately ``EffectBackoff``'s longest
  /// delay.
  fileprivate func scaled(by factor: Double) -> Duration {
    guard self > .zero else { return .zero }
    guard factor < EffectBackoff.longest / self else { return EffectBackoff.longest }
    // Whole factors stay exact; a product of floating-point numbers may not.
    return if let whole = Int(exactly: factor) { self * whole } else { self * factor }
  }
}

extension Double {
  /// Returns the power with a non-negative exponent, by squaring; infinite if it grows too large.
  fileprivate func power(_ exponent: Int) -> Double {
    var power = 1.0
    var square = self
    var exponent = exponent
    while exponent > 0 {
      if !exponent.isMultiple(of: 2) { power *= square }
      square *= square
      exponent /= 2
    }
    return power
  }
}
