/// Keeps the first value that it is given.
final class FirstValue<Value: Sendable>: Sendable {
  private let taken = Protected(Value?.none)

  var value: Value? { taken.withLock { $0 } }

  func take(_ value: Value) {
    taken.withLock { taken in
      if taken == nil { taken = value }
    }
  }
}
