internal import Arbor

/// The refusals of actions that could not be written ahead, and whose callers were not told: a flush says so, once.
final class Refusals: Sendable {
  private struct Content: Sendable {
    /// The number of refusals, and that of those of which a flush has said so.
    var (noted, told) = (0, 0)
    var last: StorageError?
  }

  private let content = Protected(Content())

  /// The number of refusals of which a flush has said so.
  var told: Int { content.withLock { $0.told } }

  func note(_ refusal: StorageError) {
    content.withLock { content in
      content.noted += 1
      content.last = refusal
    }
  }

  /// The last refusal of which no flush had said so when `told` had a value: flushes at the same time all say so.
  func take(since told: Int) -> StorageError? {
    content.withLock { content in
      guard content.noted > told else { return nil }
      content.told = content.noted
      return content.last
    }
  }
}
