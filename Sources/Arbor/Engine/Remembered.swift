/// A value that is kept from one call to the next; calls never run at the same time.
@usableFromInline
final class Remembered<Value: Sendable>: @unchecked Sendable {  // One delivery has it, whose calls are serial.
  @usableFromInline
  @exclusivity(unchecked)
  var value: Value?

  @inlinable
  init() {}
}
