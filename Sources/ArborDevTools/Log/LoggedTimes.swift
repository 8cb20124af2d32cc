internal import Arbor

/// How long an action's way took, in nanoseconds; what it did not come to took 0.
public struct LoggedTimes: Codable, Hashable, Sendable {
  /// From when it was accepted until its turn came.
  public var waited: Int64

  /// How long the interceptors took.
  public var intercepted: Int64

  /// How long the reducers took.
  public var reduced: Int64

  /// How long the observers on the store's queue took; those of a batch are called for its last action.
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
