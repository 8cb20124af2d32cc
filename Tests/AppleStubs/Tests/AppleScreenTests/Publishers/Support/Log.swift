import Arbor

/// Entries in the order of arrival, from any thread.
final class Log<Entry: Sendable>: Sendable {
  private let content = Protected<[Entry]>([])

  var entries: [Entry] { content.withLock { $0 } }

  func append(_ entry: Entry) {
    content.withLock { $0.append(entry) }
  }

  /// Removes all entries; the caller releases them outside the lock.
  @discardableResult
  func takeAll() -> [Entry] {
    content.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}
