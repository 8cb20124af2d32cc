import Arbor
import Dispatch
import Synchronization

/// Counts the tokens in closures, states and actions by the kind of the holder, and finds those that were not freed.
final class Census: Sendable {
  private struct Count: Sendable {
    var made = 0
    var freed = 0
  }

  private struct Content: Sendable {
    var counts: [String: Count] = [:]
    var alive = 0
    var waiting: DispatchSemaphore?
  }

  private let content = Protected(Content())

  func add(_ kind: String) {
    content.withLock { content in
      content.counts[kind, default: Count()].made += 1
      content.alive += 1
    }
  }

  func remove(_ kind: String) {
    let waiting = content.withLock { content in
      content.counts[kind, default: Count()].freed += 1
      content.alive -= 1
      return content.alive == 0 ? content.waiting.take() : nil
    }
    waiting?.signal()
  }

  /// Waits until nothing is alive.
  ///
  /// - Returns: The kinds of tokens that were not freed exactly once; nil if there are none.
  func waitUntilEmpty() -> String? {
    let semaphore = DispatchSemaphore(value: 0)
    let isEmpty = content.withLock { content in
      content.waiting = semaphore
      return content.alive == 0
    }
    let wasEmptied = isEmpty || Patience().wait(for: semaphore)
    return unbalanced ?? (wasEmptied ? nil : "something")
  }

  /// The kinds with different numbers of created and freed tokens.
  private var unbalanced: String? {
    let counts = content.withLock { $0.counts }.filter { $0.value.made != $0.value.freed }
    guard !counts.isEmpty else { return nil }
    return counts.map { "\($0.key): \($0.value.made) made, \($0.value.freed) freed" }.sorted().joined(separator: "; ")
  }
}
