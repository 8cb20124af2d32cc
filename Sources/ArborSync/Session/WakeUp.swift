internal import Arbor

/// Wakes a resting task.
final class WakeUp: Sendable {
  /// The causes of wake-ups.
  struct Causes: OptionSet, Sendable {
    let rawValue: Int

    /// There is something to send.
    static let own = Causes(rawValue: 1)

    /// Something has happened in the log.
    static let hint = Causes(rawValue: 2)

    /// The resting time is over.
    static let time = Causes(rawValue: 4)
  }

  private struct Content {
    /// The causes since the last rest.
    var due: Causes = []
    var rest: (causes: Causes, continuation: CheckedContinuation<Causes, Never>)?

    /// Takes the rest out if it is over.
    mutating func takeRest() -> (CheckedContinuation<Causes, Never>, Causes)? {
      guard let (causes, continuation) = rest, !due.isDisjoint(with: causes) else { return nil }
      defer { (rest, due) = (nil, []) }
      return (continuation, due)
    }
  }

  private let content = Protected(Content())

  /// Ends the current rest if it waits for this cause, or otherwise the next one that does.
  func wake(_ cause: Causes) {
    let rest = content.withLock { content in
      content.due.formUnion(cause)
      return content.takeRest()
    }
    if let (continuation, causes) = rest { continuation.resume(returning: causes) }
  }

  /// Forgets a cause that hasn't ended a rest.
  func forget(_ cause: Causes) {
    content.withLock { content in content.due.subtract(cause) }
  }

  /// Rests until one of the causes has occurred since the last rest, or the task is canceled.
  ///
  /// - Returns: All causes that have occurred.
  @discardableResult
  func rest(until causes: Causes) async -> Causes {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let rest = content.withLock { content in
          content.rest = (causes, continuation)
          if Task.isCancelled { content.due.formUnion(causes) }
          return content.takeRest()
        }
        if let (continuation, causes) = rest { continuation.resume(returning: causes) }
      }
    } onCancel: {
      wake([.own, .hint, .time])
    }
  }
}
