internal import Arbor

/// Actions that were refused because they could not be written ahead, and whose callers did not wait to be told. The next
/// flush reports them, once.
final class Refusals: Sendable {
  private struct Content: Sendable {
    /// The number of refusals, and how many of them a flush has reported.
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

  /// The last refusal, if it came after the first `told` ones. Flushes that run at the same time all report it.
  func take(since told: Int) -> StorageError? {
    content.withLock { content in
      guard content.noted > told else { return nil }
      content.told = content.noted
      return content.last
    }
  }
}
