import Arbor

/// What observers were told, in order, from any thread.
final class Told<Value: Sendable>: Sendable {
  private let told = Protected<[Value]>([])

  var values: [Value] { told.withLock { $0 } }

  func append(_ value: Value) {
    told.withLock { $0.append(value) }
  }
}
