import Arbor
import Dispatch

/// The history of one observer of a value.
final class ValueWitness<Value: Equatable & Sendable>: Sendable {
  private struct Memory: Sendable {
    var last: Value?
    var awaited: (value: Value, semaphore: DispatchSemaphore)?
  }

  private let overlap: OverlapWitness
  private let ground: Ground
  private let token: StressToken
  private let isInOrder: @Sendable (_ old: Value, _ new: Value) -> Bool
  private let look: @Sendable () -> Void
  private let memory = Protected(Memory())

  /// Makes a witness of one observer.
  ///
  /// - Parameter isInOrder: Returns `true` if a value may follow another one.
  init(
    _ overlap: OverlapWitness,
    on ground: Ground,
    look: @escaping @Sendable () -> Void,
    isInOrder: @escaping @Sendable (_ old: Value, _ new: Value) -> Bool
  ) {
    self.overlap = overlap
    self.ground = ground
    self.look = look
    self.isInOrder = isInOrder
    token = ground.token("value's observer")
  }

  var body: @Sendable (Value) -> Void {
    { [self] value in
      overlap.within("value's observer") {
        let (last, awaited) = memory.withLock { memory in
          defer { memory.last = value }
          return (memory.last, memory.awaited?.value == value ? memory.awaited.take()?.semaphore : nil)
        }
        if let last, !isInOrder(last, value) { ground.flaws.note("W1 a value was \(value) after \(last)") }
        withExtendedLifetime(token) { look() }
        awaited?.signal()
      }
    }
  }

  /// Expects that the last received value is this one; waits for a delivery that comes later.
  func check(last value: Value, isSure: Bool, mayWait: Bool) {
    let semaphore = DispatchSemaphore(value: 0)
    let last = memory.withLock { memory in
      if memory.last != value { memory.awaited = (value, semaphore) }
      return memory.last
    }
    // An observer without the first value may have received none.
    if last == value || last == nil && !isSure { return }
    if mayWait, ground.patience.wait(for: semaphore) { return }
    ground.flaws.note("W1 an observer of a value last received \(String(describing: last)) instead of \(value)")
  }
}
