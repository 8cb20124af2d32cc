import Arbor

/// Entries in the order in which they came, from any thread.
final class Log<Entry: Sendable>: Sendable {
  private let content = Protected<[Entry]>([])

  var entries: [Entry] { content.withLock { $0 } }

  func append(_ entry: Entry) {
    content.withLock { $0.append(entry) }
  }

  /// Takes all entries out; they are released by the caller, without the lock.
  @discardableResult
  func takeAll() -> [Entry] {
    content.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}
