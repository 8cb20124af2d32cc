internal import Arbor

/// A wake-up of one task that rests.
final class WakeUp: Sendable {
  private struct Content: Sendable {
    /// `true` if a wake-up has come that nobody has rested for.
    var isDue = false
    var rest: CheckedContinuation<Void, Never>?
  }

  private let content = Protected(Content())

  /// Wakes the task, or lets its next rest end at once.
  func wake() {
    let rest = content.withLock { content in
      if content.rest == nil { content.isDue = true }
      return content.rest.take()
    }
    rest?.resume()
  }

  /// Rests until a wake-up has come since the last rest, or the task is cancelled.
  func rest() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { rest in
        let isDue = content.withLock { content in
          defer { content.isDue = false }
          if !content.isDue, !Task.isCancelled { content.rest = rest }
          return content.rest == nil
        }
        if isDue { rest.resume() }
      }
    } onCancel: {
      wake()
    }
  }
}
