internal import Arbor

extension Duration {
  /// Whole nanoseconds; of negative durations none, of those beyond 292 years so many as 292 years have.
  var nanoseconds: Int64 {
    max(clampedNanoseconds, 0)
  }
}
