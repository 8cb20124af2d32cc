/// The status of a job that runs as long as the state says that it is in progress.
///
/// ```swift
/// struct AppState {
///   var upload = JobState()
/// }
///
/// switch action {
/// case .uploadTapped: state.upload.run(maxAttempts: 4, backoff: .exponential(initial: .seconds(1)))
/// case .uploadStopped: state.upload.cancel()
/// case .uploaded: state.upload.succeed()
/// case .uploadFailed(let error): state.upload.retryOrFail(error)
/// }
/// ```
///
/// - Reducers set the status. A ``StateEffect`` runs the job while ``isInProgress`` is true, and in no other status.
/// - A call that doesn't fit the current status changes nothing. So a result that arrives twice, or after the job was
///   canceled, is harmless.
/// - Equality compares the status, the number of attempts begun so far, the maximum number of attempts and the delays.
///   A restart is therefore a change, even if the status stays at attempt 1. If only the status matters, compare
///   ``status``.
/// - It keeps an error's text as the ``reason``, not the error itself. So errors don't need to be `Equatable` or
///   `Codable`, and equal states, including decoded ones, behave equally. If your program needs parts of an error, keep
///   them in your state.
/// - To begin again, call ``run(maxAttempts:backoff:delay:)``, ``restart(maxAttempts:backoff:delay:)`` or ``reset()``
///   instead of assigning a new value. A new value counts its attempts from the start, and so may equal the value that
///   it replaces.
public struct JobState: Sendable, Codable, Hashable {
  /// The status of a job.
  public enum Status: Sendable, Codable, Hashable {
    /// The job hasn't begun, or was reset.
    case idle

    /// An attempt is running, or waiting for its delay. The first attempt is 1.
    case inProgress(attempt: Int)

    /// The job is done.
    case succeeded

    /// The last attempt failed, for this reason.
    case failed(reason: String)

    /// The job was canceled.
    case cancelled
  }

  /// The status of the job.
  public private(set) var status = Status.idle

  /// The number of attempts begun so far, over all runs. It differs for each attempt, and so distinguishes an attempt
  /// from the previous one even if everything else is equal.
  package private(set) var attemptsBegun = 0

  package private(set) var maxAttempts = 1
  package private(set) var backoff = EffectBackoff.none

  /// The delay before attempt 1; nil if there is none.
  package private(set) var firstDelay: Duration?

  /// Makes an idle job.
  public init() {}

  /// Decodes the status of a job.
  ///
  /// - Throws: A `DecodingError`, even for an attempt that can't exist, such as one beyond the last.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let status = try container.decode(Status.self, forKey: .status)
    let maxAttempts = try container.decode(Int.self, forKey: .maxAttempts)
    var isPossible = maxAttempts >= 1
    if case .inProgress(let attempt) = status { isPossible = attempt >= 1 && attempt <= maxAttempts }
    guard isPossible else {
      let text = "A job with \(maxAttempts) attempts can't have this status."
      throw DecodingError.dataCorruptedError(forKey: .status, in: container, debugDescription: text)
    }
    self.status = status
    self.maxAttempts = maxAttempts
    attemptsBegun = try container.decode(Int.self, forKey: .attemptsBegun)
    backoff = try container.decode(EffectBackoff.self, forKey: .backoff)
    firstDelay = try container.decodeIfPresent(Duration.self, forKey: .firstDelay)
  }

  /// `true` if an attempt is running or waiting for its delay.
  public var isInProgress: Bool {
    attempt != nil
  }

  /// The number of the attempt in progress, from 1; nil if no attempt is in progress.
  public var attempt: Int? {
    if case .inProgress(let attempt) = status { attempt } else { nil }
  }

  /// The reason for the failure; nil if the status isn't ``Status/failed(reason:)``.
  public var reason: String? {
    if case .failed(let reason) = status { reason } else { nil }
  }

  /// The delay before the attempt in progress runs; zero if no attempt is in progress.
  package var delay: Duration {
    guard let attempt else { return .zero }
    // Decoded delays are clamped here, like those of a backoff.
    return attempt == 1 ? EffectBackoff.constant(firstDelay ?? .zero).delay(before: 2) : backoff.delay(before: attempt)
  }

  /// The number of attempts that may follow the one in progress; zero if none is in progress.
  var attemptsLeft: Int { attempt.map { max(maxAttempts - $0, 0) } ?? 0 }

  /// Returns the delay before a retry of the attempt in progress, counted from 1.
  func delay(beforeRetry retry: Int) -> Duration { backoff.delay(before: (attempt ?? 1) + retry) }

  /// Puts attempt 1 in progress; a ``StateEffect`` then performs it.
  ///
  /// - Changes nothing if an attempt is in progress: the current run keeps its own `maxAttempts` and delays.
  /// - Parameters:
  ///   - maxAttempts: The number of attempts that this run may make, including the first; a number below 1 counts as 1.
  ///   - backoff: The delays before the attempts after the first.
  ///   - delay: The delay before the first attempt, which is already in progress during the delay; a negative one
  ///     counts as zero.
  public mutating func run(maxAttempts: Int = 1, backoff: EffectBackoff = .none, delay: Duration = .zero) {
    guard !isInProgress else { return }
    restart(maxAttempts: maxAttempts, backoff: backoff, delay: delay)
  }

  /// Begins again with attempt 1, even if an attempt is in progress.
  ///
  /// - If each of many actions restarts a job with a delay, the job is performed once no such action has come for that
  ///   long.
  /// - Parameters:
  ///   - maxAttempts: The number of attempts that this run may make, including the first; a number below 1 counts as 1.
  ///     Nil keeps the number of the last run, which is 1 if there was none since the state was made or reset.
  ///   - backoff: The delays before the attempts after the first. Nil keeps the values of the last run.
  ///   - delay: The delay before the first attempt, which isn't kept from the last run; a negative one counts as zero.
  public mutating func restart(
    maxAttempts: Int? = nil,
    backoff: EffectBackoff? = nil,
    delay: Duration = .zero
  ) {
    if let maxAttempts { self.maxAttempts = max(maxAttempts, 1) }
    if let backoff { self.backoff = backoff }
    firstDelay = delay > .zero ? delay : nil
    begin(attempt: 1)
  }

  /// Begins the next attempt, which waits for the backoff's delay, or fails if no attempt is left.
  ///
  /// - Changes nothing if no attempt is in progress.
  /// - Parameter reason: The reason why the attempt failed; it is kept only if no attempt is left.
  public mutating func retryOrFail(_ reason: String) {
    guard let attempt else { return }
    if attempt < maxAttempts { begin(attempt: attempt + 1) } else { fail(reason) }
  }

  /// Begins the next attempt, which waits for the backoff's delay, or fails with an error if no attempt is left.
  ///
  /// - Changes nothing if no attempt is in progress.
  /// - Parameter error: The error of the attempt. If no attempt is left, its description, without ``Confidential``
  ///   parts, is the reason.
  public mutating func retryOrFail(_ error: any Error) {
    retryOrFail(Confidentiality.description(of: error))
  }

  /// Sets the status to ``Status/succeeded``.
  ///
  /// - Changes nothing if no attempt is in progress.
  public mutating func succeed() {
    if isInProgress { status = .succeeded }
  }

  /// Sets the status to ``Status/failed(reason:)``, even if attempts are left.
  ///
  /// - It also works from ``Status/idle``, for a job that failed before it could begin. It changes nothing after the
  ///   job has ended.
  /// - Parameter reason: The reason why the job failed, which ``reason`` keeps.
  public mutating func fail(_ reason: String) {
    end(with: .failed(reason: reason))
  }

  /// Sets the status to ``Status/failed(reason:)`` with an error's description, even if attempts are left.
  ///
  /// - It also works from ``Status/idle``, for a job that failed before it could begin. It changes nothing after the
  ///   job has ended.
  /// - Parameter error: The error of the job; its description, without ``Confidential`` parts, is the ``reason``.
  public mutating func fail(_ error: any Error) {
    fail(Confidentiality.description(of: error))
  }

  /// Cancels the job by setting the status to ``Status/cancelled``.
  ///
  /// - It also works from ``Status/idle``: the job then doesn't begin. It changes nothing after the job has ended.
  public mutating func cancel() {
    end(with: .cancelled)
  }

  /// Sets the status to ``Status/idle``, which cancels an attempt in progress, and resets `maxAttempts` and the delays.
  ///
  /// - The attempts begun so far still count: a reset state only equals a new one if no attempt has begun.
  public mutating func reset() {
    status = .idle
    maxAttempts = 1
    backoff = .none
    firstDelay = nil
  }

  /// Makes the attempt in progress the first one, so that all retries are available again.
  package mutating func renewAttempts() {
    if let attempt, attempt > 1 { status = .inProgress(attempt: 1) }
  }

  private mutating func begin(attempt: Int) {
    // Wraps around instead of trapping, because a decoded count may be any number.
    attemptsBegun &+= 1
    status = .inProgress(attempt: attempt)
  }

  /// Ends the job, unless it has ended.
  private mutating func end(with status: Status) {
    if isInProgress || self.status == .idle { self.status = status }
  }
}

extension JobState: CustomStringConvertible {
  /// The status in words, such as "in progress (attempt 2 of 5)".
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
