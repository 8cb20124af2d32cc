internal import Arbor

/// The time of a tree, counted from the first use of its cache.
final class RequestClock: Attachment {
  private let elapsed: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void

  private init(
    _ elapsed: @escaping @Sendable () -> Duration,
    _ sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.elapsed = elapsed
    sleepUntil = sleep
  }

  /// Returns the clock of a tree.
  static func of(_ tree: Tree) -> RequestClock {
    tree.attachments.object { make(tree.clock) }.takeUnretainedValue()
  }

  private static func make<C: Clock<Duration>>(_ clock: C) -> RequestClock {
    let start = clock.now
    return RequestClock {
      start.duration(to: clock.now)
    } _: { time in
      try await clock.sleep(until: start.advanced(by: time), tolerance: nil)
    }
  }

  /// The time now.
  var now: Duration { elapsed() }

  /// Waits until a time; at most for the longest delay, because a decoded time may be any.
  func sleep(until time: Duration) async throws {
    try await sleepUntil(max(min(time, now + EffectBackoff.longest), .zero))
  }

  /// Calls a body. If it takes longer than a duration, calls `timeOut` with a failure, and cancels the body.
  ///
  /// - Throws: The failure, or the error of the body.
  func withTimeout<Value: Sendable>(
    _ duration: Duration?,
    _ timeOut: @escaping @Sendable (RequestFailure) -> Void,
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard let duration else { return try await body() }
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask(operation: body)
      group.addTask { [self] in
        try await sleep(until: now + duration)
        let failure = RequestFailure(.timedOut, "no answer within \(duration)")
        timeOut(failure)
        throw failure
      }
      defer { group.cancelAll() }
      return try await group.next()!
    }
  }
}
