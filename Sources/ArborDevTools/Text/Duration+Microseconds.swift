extension Duration {
  /// A duration of microseconds to the nanosecond, as files have them; at most so many as 64 bits hold.
  init(microseconds: Double) {
    let nanoseconds = (microseconds * 1000).rounded()
    self = .nanoseconds(Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min + 1 : .max))
  }

  /// Microseconds with three decimals, as files have them.
  var microseconds: Double { Double(nanoseconds) / 1000 }
}
