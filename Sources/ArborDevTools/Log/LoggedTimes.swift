internal import Arbor

/// The time that an action waited, and those of the parts of its step, in nanoseconds; 0 for a part
/// that it did not reach.
public struct LoggedTimes: Codable, Hashable, Sendable {
  /// The nanoseconds from when the action was accepted until its turn came.
  public var waited: Int64

  /// The nanoseconds that the interceptors took.
  public var intercepted: Int64

  /// The nanoseconds that the reducers took.
  public var reduced: Int64

  /// The nanoseconds that the observers on the store's queue took; those of a batch are called for
  /// its last action.
  public var delivered: Int64

  /// Makes one of its parts.
  ///
  /// - Parameters:
  ///   - waited: The nanoseconds from when the action was accepted until its turn came.
  ///   - intercepted: The nanoseconds that the interceptors took.
  ///   - reduced: The nanoseconds that the reducers took.
  ///   - delivered: The nanoseconds that the observers on the store's queue took.
  public init(waited: Int64, intercepted: Int64, reduced: Int64, delivered: Int64) {
    self.waited = waited
    self.intercepted = intercepted
    self.reduced = reduced
    self.delivered = delivered
  }

  init(_ times: ActionTimes) {
    self.init(
      waited: times.waited.nanoseconds,
      intercepted: times.intercepted.nanoseconds,
      reduced: times.reduced.nanoseconds,
      delivered: times.delivered.nanoseconds
    )
  }
}
