/// The value that was last made of some tables, and the versions from which it was made.
@usableFromInline
final class JoinMemory<Value: Sendable>: @unchecked Sendable {  // A derived value has it, whose calls are serial.
  @usableFromInline var stamps: [ChangeStamp] = []
  @usableFromInline var value: Value?

  @inlinable
  init() {}

  @inlinable
  func value(for stamps: [ChangeStamp], compute: () -> Value) -> Value {
    if let value, stamps == self.stamps { return value }
    let computed = compute()
    (self.stamps, value) = (stamps, computed)
    return computed
  }
}
