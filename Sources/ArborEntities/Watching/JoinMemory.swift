/// What was last made of some tables, and of which versions of them.
final class JoinMemory<Value: Sendable>: @unchecked Sendable {  // A derived value has it, whose calls are serial.
  private var stamps: [ChangeStamp] = []
  private var value: Value?

  func value(for stamps: [ChangeStamp], compute: () -> Value) -> Value {
    if let value, stamps == self.stamps { return value }
    let computed = compute()
    (self.stamps, value) = (stamps, computed)
    return computed
  }
}
