/// A change of a state that may fail to take place, if only because there is no such state.
@usableFromInline
final class DependentChange: Sendable {
  @usableFromInline let make: @Sendable (UnsafeMutableRawPointer?) -> Bool

  /// Whether a caller of `commit` waits for it.
  let isAwaited: Bool

  init(isAwaited: Bool, _ make: @escaping @Sendable (UnsafeMutableRawPointer?) -> Bool) {
    self.isAwaited = isAwaited
    self.make = make
  }
}
