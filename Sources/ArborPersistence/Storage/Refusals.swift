internal import Arbor

/// The refusals of actions that couldn't be written ahead, and whose callers didn't wait for the result. The next flush
/// reports them, once.
final class Refusals: Sendable {
  private struct Content: Sendable {
    /// The number of refusals, and the number of those that a flush has reported.
    var (noted, told) = (0, 0)
    var last: StorageError?
  }

  private let content = Protected(Content())

  /// The number of refusals that a flush has reported.
  var told: Int { content.withLock { $0.told } }

  func note(_ refusal: StorageError) {
    content.withLock { content in
      content.noted += 1
      content.last = refusal
    }
  }

  /// Returns the last refusal if it came after the first `told` ones. Flushes that run at the same time all report it.
  func take(since told: Int) -> StorageError? {
    content.withLock { content in
      guard content.noted > told else { return nil }
      content.told = content.noted
      return content.last
    }
  }
}
