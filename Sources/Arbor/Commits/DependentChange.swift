/// A change of a state that says whether it has taken place: not if it throws, or if there is no such state.
@usableFromInline
final class DependentChange: Sendable {
  @usableFromInline let make: @Sendable (UnsafeMutableRawPointer?) -> Bool

  /// Whether a caller of `commit` waits for it.
  let isAwaited: Bool

  /// `true` if it may fail to take place.
  @usableFromInline let canFail: Bool

  init(isAwaited: Bool, canFail: Bool, _ make: @escaping @Sendable (UnsafeMutableRawPointer?) -> Bool) {
    self.isAwaited = isAwaited
    self.canFail = canFail
    self.make = make
  }
}
