/// An audience with a current value, which any thread may read while another thread writes it.
package final class ValueAudience<Value: Sendable>: Audience, @unchecked Sendable {  // A lock guards the value.
  private struct Content: Sendable {
    var value: Value

    /// The number of times the value was written.
    var version: UInt64 = 0
  }

  private let content: Protected<Content>

  /// Makes an audience in a tree that can be observed from now on.
  package init(_ value: Value, on tree: Tree) {
    content = Protected(Content(value: value))
    super.init(at: Address(on: tree))
    address.open(to: self)
  }

  /// The number of times the value was written.
  package var version: UInt64 { content.withLock { $0.version } }

  package var value: Value {
    get { content.withLock { $0.value } }
    set {
      // The old value is released outside the lock.
      let old = content.withLock { content in
        defer { content = Content(value: newValue, version: content.version + 1) }
        return content.value
      }
      withExtendedLifetime(old) {}
    }
  }
}
