import Arbor

/// Values in the order in which they came, from any thread.
final class Recorder<Value: Sendable>: Sendable {
  private let recorded = Protected<[Value]>([])

  var values: [Value] { recorded.withLock { $0 } }

  func append(_ value: Value) {
    recorded.withLock { $0.append(value) }
  }

  func removeAll() {
    let removed = recorded.withLock { recorded in
      defer { recorded = [] }
      return recorded
    }
    _ = removed
  }
}
