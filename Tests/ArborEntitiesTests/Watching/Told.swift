import Arbor

/// The values that observers received, in order, from any thread.
final class Told<Value: Sendable>: Sendable {
  private let told = Protected<[Value]>([])

  var values: [Value] { told.withLock { $0 } }

  func append(_ value: Value) {
    told.withLock { $0.append(value) }
  }
}
