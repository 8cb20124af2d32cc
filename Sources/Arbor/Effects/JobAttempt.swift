/// An attempt that a state requests.
struct AttemptRequest {
  /// A number that differs from the previous attempt's number.
  let number: Int
  let delay: Duration

  /// The number of times that the effect is begun again when one of its tasks throws an error.
  let retries: Int

  /// Returns the delay before a retry, counted from 1.
  let delayBeforeRetry: (Int) -> Duration
}

/// The key of a job: its id, and the collection element in which the feature works.
struct JobKey: Hashable, ElementPart {
  let element: ElementKey?
  let id: TypedKey
}

/// An attempt that is in progress. It isn't generic: a table of such values is much faster.
final class JobAttempt {
  /// The identity of this attempt among all attempts.
  let identity = Identity()
  let request: AttemptRequest

  /// The number of times that the performer has begun the attempt again.
  let retries: Int

  /// The identity of the part in which the attempt began; nil if the part can't be replaced.
  let part: PartIdentity?

  /// The cause of everything that its effect does.
  let cause: ActionCause

  /// This client's share of the attempt; nil if the store isn't shared.
  let share: EffectShare?

  /// The number of the last comparison that found the attempt in the state.
  var comparison: UInt64

  /// Stops the timer of the attempt's delay; nil after the delay.
  var stopDelay: (@Sendable () -> Void)?

  /// The group of the attempt's effect; nil until the effect is performed.
  var group: EffectGroup?

  init(
    _ request: AttemptRequest,
    retries: Int,
    _ part: PartIdentity?,
    _ cause: ActionCause,
    _ share: EffectShare?,
    _ comparison: UInt64
  ) {
    self.request = request
    self.retries = retries
    self.part = part
    self.cause = cause
    self.share = share
    self.comparison = comparison
  }

  /// Ends the attempt. Its tasks may continue for a while if they ignore their cancellation.
  func end() {
    stopDelay?()
    group?.cancel()
  }
}
