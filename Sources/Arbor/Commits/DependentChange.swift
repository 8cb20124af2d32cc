/// A change of a state that may fail to take place, if only because there is no such state.
@usableFromInline
final class DependentChange: Sendable {
  @usableFromInline let make: @Sendable (UnsafeMutableRawPointer?) -> Bool

  @usableFromInline
  init(_ make: @escaping @Sendable (UnsafeMutableRawPointer?) -> Bool) {
    self.make = make
  }
}
