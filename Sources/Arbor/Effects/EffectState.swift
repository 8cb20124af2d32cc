/// Where a piece of work stands whose running is a function of the state.
///
/// ```swift
/// struct AppState {
///   var upload = EffectState()
/// }
///
/// switch action {
/// case .uploadTapped: state.upload.run(maxAttempts: 4, backoff: .exponential(initial: .seconds(1)))
/// case .uploadStopped: state.upload.cancel()
/// case .uploaded: state.upload.succeed()
/// case .uploadFailed(let reason): state.upload.retryOrFail(reason)
/// }
/// ```
///
/// - Reducers say what shall be; the work follows. In progress it runs, and in no other status.
/// - A call that makes no sense in the status of the moment changes nothing: an answer that comes after the work was
///   cancelled, or twice, is harmless.
/// - Two states are equal if everything in them is: beside the status that is how many attempts have begun so far, how
///   many a run may make, and the backoff. So a restart is a change, though the status stays attempt 1. Compare
///   ``status`` where nothing else matters.
/// - Begin anew with ``run(maxAttempts:backoff:)``, ``restart()`` or ``reset()`` rather than with a new value: that one
///   counts its attempts from the start, and so may look just like the one that it replaces.
public struct EffectState: Sendable, Codable, Hashable {
  /// Where the work stands.
  public enum Status: Sendable, Codable, Hashable {
    /// Nothing was asked for.
    case idle

    /// An attempt waits for its time or runs. The first one is 1.
    case inProgress(attempt: Int)

    /// The work was done.
    case succeeded

    /// The last attempt went wrong, for this reason.
    case failed(reason: String)

    /// The work was called off.
    case cancelled
  }

  /// Where the work stands.
  public private(set) var status = Status.idle

  /// How many attempts have begun in all, over every run: another number for each, which tells an attempt from the one
  /// before even where all else is equal.
  package private(set) var attemptsBegun = 0

  private var maxAttempts = 1
  private var backoff = EffectBackoff.none

  /// Makes a state that is idle.
  public init() {}

  /// `true` if an attempt waits for its time or runs.
  public var isInProgress: Bool {
    attempt != nil
  }

  /// The number of the attempt in progress, from 1; nil if none is.
  public var attempt: Int? {
    if case .inProgress(let attempt) = status { attempt } else { nil }
  }

  /// Why the work has failed; nil if it has not.
  public var reason: String? {
    if case .failed(let reason) = status { reason } else { nil }
  }

  /// How long the attempt in progress waits before it runs: zero if it is the first, or if none is in progress.
  package var delay: Duration {
    attempt.map(backoff.delay(before:)) ?? .zero
  }

  /// Begins attempt 1.
  ///
  /// - Changes nothing if an attempt is in progress: what runs keeps its own `maxAttempts` and `backoff`.
  /// - Parameters:
  ///   - maxAttempts: How many attempts this run may make, the first included; below 1 it counts as 1.
  ///   - backoff: How long each attempt after the first waits.
  public mutating func run(maxAttempts: Int = 1, backoff: EffectBackoff = .none) {
    guard !isInProgress else { return }
    self.maxAttempts = max(maxAttempts, 1)
    self.backoff = backoff
    begin(attempt: 1)
  }

  /// Begins attempt 1 anew, whether or not an attempt is in progress.
  ///
  /// - It keeps `maxAttempts` and `backoff` of the last run. If there was none since the state was made or reset, it is
  ///   the same as ``run(maxAttempts:backoff:)`` without arguments.
  public mutating func restart() {
    begin(attempt: 1)
  }

  /// Begins the next attempt, which waits as the backoff says, or fails if none is left.
  ///
  /// - Changes nothing if no attempt is in progress.
  /// - Parameter reason: Why the attempt went wrong; forgotten if there is another one.
  public mutating func retryOrFail(_ reason: String) {
    guard let attempt else { return }
    if attempt < maxAttempts { begin(attempt: attempt + 1) } else { fail(reason) }
  }

  /// Begins the next attempt, which waits as the backoff says, or fails if none is left.
  ///
  /// - Changes nothing if no attempt is in progress.
  /// - Parameter error: Why the attempt went wrong; the reason is what `String(describing:)` makes of it.
  public mutating func retryOrFail(_ error: any Error) {
    retryOrFail(String(describing: error))
  }

  /// Says that the work is done.
  ///
  /// - Changes nothing if no attempt is in progress.
  public mutating func succeed() {
    end(with: .succeeded)
  }

  /// Says that the work went wrong and is not to be tried again, even if attempts are left.
  ///
  /// - Changes nothing if no attempt is in progress.
  public mutating func fail(_ reason: String) {
    end(with: .failed(reason: reason))
  }

  /// Says that the work went wrong and is not to be tried again, even if attempts are left.
  ///
  /// - Changes nothing if no attempt is in progress.
  /// - Parameter error: What went wrong; the reason is what `String(describing:)` makes of it.
  public mutating func fail(_ error: any Error) {
    fail(String(describing: error))
  }

  /// Calls the work off.
  ///
  /// - Changes nothing if no attempt is in progress.
  public mutating func cancel() {
    end(with: .cancelled)
  }

  /// Goes back to idle from any status, calling off what is in progress, and forgets `maxAttempts` and `backoff`.
  ///
  /// - What has begun so far stays counted, so the state is not equal to a new one if anything had.
  public mutating func reset() {
    status = .idle
    maxAttempts = 1
    backoff = .none
  }

  private mutating func begin(attempt: Int) {
    // Wraps around, as any number may have been decoded.
    attemptsBegun &+= 1
    status = .inProgress(attempt: attempt)
  }

  private mutating func end(with status: Status) {
    guard isInProgress else { return }
    self.status = status
  }
}

extension EffectState: CustomStringConvertible {
  /// The status in words: "in progress (attempt 2 of 5)".
  public var description: String {
    switch status {
    case .idle: "idle"
    case .inProgress(let attempt): "in progress (attempt \(attempt) of \(maxAttempts))"
    case .succeeded: "succeeded"
    case .failed(let reason): "failed (\(reason))"
    case .cancelled: "cancelled"
    }
  }
}
