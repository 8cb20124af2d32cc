extension Duration {
  /// Whole nanoseconds; of negative durations none, of those beyond 292 years so many as 292 years have.
  var nanoseconds: Int64 {
    guard self > .zero else { return 0 }
    let nanoseconds = attoseconds / 1_000_000_000
    return Int64(clamping: nanoseconds)
  }
}
