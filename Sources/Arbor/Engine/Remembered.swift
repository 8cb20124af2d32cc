/// A value that is kept from one call to the next; calls never run at the same time.
@usableFromInline
final class Remembered<Value: Sendable>: @unchecked Sendable {  // Whoever calls is serial with itself.
  @usableFromInline
  @exclusivity(unchecked)
  var value: Value?

  @inlinable
  init() {}
}
