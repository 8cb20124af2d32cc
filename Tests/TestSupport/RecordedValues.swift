import Arbor

/// Values in the order of arrival, from any thread.
package final class RecordedValues<Value: Sendable>: Sendable {
  private let recorded = Protected<[Value]>([])

  package init() {}

  package var values: [Value] { recorded.withLock { $0 } }

  package func append(_ value: Value) {
    recorded.withLock { $0.append(value) }
  }

  package func removeAll() {
    let removed = recorded.withLock { recorded in
      defer { recorded = [] }
      return recorded
    }
    _ = removed
  }
}
