/// A value that any thread may read while one writes it.
final class CurrentValue<Value: Sendable>: Sendable {
  private struct Content: Sendable {
    var value: Value

    /// How often it was written.
    var version: UInt64 = 0
  }

  private let content: Protected<Content>

  init(_ value: Value) {
    content = Protected(Content(value: value))
  }

  var version: UInt64 { content.withLock { $0.version } }

  var value: Value {
    get { content.withLock { $0.value } }
    set {
      // The old one is released outside the lock.
      let old = content.withLock { content in
        defer { content = Content(value: newValue, version: content.version + 1) }
        return content.value
      }
      withExtendedLifetime(old) {}
    }
  }
}
