internal import Arbor

/// The text of a duration: three digits of it, cut and not rounded, in the unit where they are worth most.
enum DurationText {
  /// `0 ns`, `999 ns`, `1.23 µs`, `45.6 ms`, `789 s`.
  static func of(_ nanoseconds: Int64) -> String {
    let nanoseconds = max(nanoseconds, 0)
    switch nanoseconds {
    case ..<1000: return "\(nanoseconds) ns"
    case ..<1_000_000: return text(of: nanoseconds, in: 1000) + " µs"
    case ..<1_000_000_000: return text(of: nanoseconds, in: 1_000_000) + " ms"
    default: return text(of: nanoseconds, in: 1_000_000_000) + " s"
    }
  }

  private static func text(of nanoseconds: Int64, in unit: Int64) -> String {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: unit)
    let places = whole < 10 ? 2 : whole < 100 ? 1 : 0
    guard places > 0 else { return "\(whole)" }
    let digits = String(rest / (unit / (places == 2 ? 100 : 10)))
    return "\(whole)." + String(repeating: "0", count: places - digits.count) + digits
  }
}

extension Duration {
  /// A duration of microseconds to the nanosecond, as files have them; at most so many as 64 bits hold.
  init(microseconds: Double) {
    let nanoseconds = (microseconds * 1000).rounded()
    self = .nanoseconds(Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min + 1 : .max))
  }

  /// Microseconds with three decimals, as files have them.
  var microseconds: Double { Double(nanoseconds) / 1000 }
}

extension Duration {
  /// Whole nanoseconds; of negative durations none, of those beyond 292 years so many as 292 years have.
  var nanoseconds: Int64 {
    max(clampedNanoseconds, 0)
  }
}
