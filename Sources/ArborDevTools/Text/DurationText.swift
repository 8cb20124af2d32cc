internal import Arbor

/// The text of a duration: its first three digits, truncated, in the most suitable unit.
enum DurationText {
  /// Returns a text such as `0 ns`, `999 ns`, `1.23 µs`, `45.6 ms` or `789 s`.
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
  /// Makes a duration from the microseconds in a file, rounded to nanoseconds and limited to 64 bits of them.
  init(microseconds: Double) {
    let nanoseconds = (microseconds * 1000).rounded()
    self = .nanoseconds(Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min + 1 : .max))
  }

  /// The duration in microseconds with three decimals, as in files.
  var microseconds: Double { Double(nanoseconds) / 1000 }
}

extension Duration {
  /// The duration in whole nanoseconds: 0 for a negative duration, and at most 292 years.
  var nanoseconds: Int64 {
    max(clampedNanoseconds, 0)
  }
}
