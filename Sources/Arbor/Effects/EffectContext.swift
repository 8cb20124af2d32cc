/// The functions with which the body of an effect reaches its store.
@usableFromInline
struct EffectContext<Action: Sendable>: Sendable {
  @usableFromInline typealias Operation = @Sendable (_ context: EffectContext) async throws -> Void

  let dispatch: @Sendable (Action) -> Void
  let emit: @Sendable (any Sendable) -> Void

  /// Measures the delays before retries.
  let clock: any Clock<Duration>

  /// Calls a body, and calls it again if it throws an error and retries remain.
  func performWithRetries(
    atMost retries: Int,
    _ backoff: EffectBackoff,
    _ body: @Sendable () async throws -> Void
  ) async throws {
    var attempt = 1
    while true {
      do {
        return try await body()
      } catch  where attempt <= retries && !(error is CancellationError) && !Task.isCancelled {
        attempt += 1
        let delay = backoff.delay(before: attempt)
        if delay > .zero { try await clock.sleep(for: delay) }
        try Task.checkCancellation()
      }
    }
  }

  /// Returns the context of actions that are embedded in those of this context.
  func pullback<Part: Sendable>(_ embed: @escaping @Sendable (Part) -> Action) -> EffectContext<Part> {
    EffectContext<Part>(dispatch: { [dispatch] part in dispatch(embed(part)) }, emit: emit, clock: clock)
  }
}
