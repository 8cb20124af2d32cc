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
/// - A call that does not fit the current status changes nothing: a result that comes twice, or after the job was
///   cancelled, is harmless.
/// - Equality covers the status, the number of attempts begun so far, the maximum of attempts and the delays. A restart
///   is therefore a change, even if the status stays attempt 1. Compare ``status`` if nothing else matters.
/// - It keeps the text of an error as the ``reason``, and not the error, which need be neither `Equatable` nor `Codable`:
///   equal states, and decoded ones, behave equally. Keep the parts of an error that your program needs in your state.
/// - Begin again with ``run(maxAttempts:backoff:delay:)``, ``restart(maxAttempts:backoff:delay:)`` or ``reset()``
///   rather than with a new value: a new value counts its attempts from the start, and so may equal the value that it
///   replaces.
public struct JobState: Sendable, Codable, Hashable {
  /// The status of a job.
  public enum Status: Sendable, Codable, Hashable {
    /// The job was not begun, or was reset.
    case idle

    /// An attempt runs, or waits for its delay. The first attempt is 1.
    case inProgress(attempt: Int)

    /// The job is done.
    case succeeded

    /// The last attempt failed, for this reason.
    case failed(reason: String)

    /// The job was cancelled.
    case cancelled
  }

  /// The status of the job.
  public private(set) var status = Status.idle

  /// The number of attempts begun so far, over all runs. It differs for each attempt, and so tells an attempt from the
  /// previous one even if all else is equal.
  package private(set) var attemptsBegun = 0

  package private(set) var maxAttempts = 1
  package private(set) var backoff = EffectBackoff.none

  /// The delay before attempt 1; nil if there is none.
  package private(set) var firstDelay: Duration?

  /// Makes an idle job.
  public init() {}

  /// Decodes the status of a job.
  ///
  /// - Throws: Also for an attempt that no state has, such as one beyond the last.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let status = try container.decode(Status.self, forKey: .status)
    let maxAttempts = try container.decode(Int.self, forKey: .maxAttempts)
    var isPossible = maxAttempts >= 1
    if case .inProgress(let attempt) = status { isPossible = attempt >= 1 && attempt <= maxAttempts }
    guard isPossible else {
      let text = "A job with \(maxAttempts) attempts has no such status."
      throw DecodingError.dataCorruptedError(forKey: .status, in: container, debugDescription: text)
    }
    self.status = status
    self.maxAttempts = maxAttempts
    attemptsBegun = try container.decode(Int.self, forKey: .attemptsBegun)
    backoff = try container.decode(EffectBackoff.self, forKey: .backoff)
    firstDelay = try container.decodeIfPresent(Duration.self, forKey: .firstDelay)
  }

  /// `true` if an attempt runs or waits for its delay.
  public var isInProgress: Bool {
    attempt != nil
  }

  /// The number of the attempt in progress, from 1; nil if no attempt is in progress.
  public var attempt: Int? {
    if case .inProgress(let attempt) = status { attempt } else { nil }
  }

  /// The reason of the failure; nil if the status is not ``Status/failed(reason:)``.
  public var reason: String? {
    if case .failed(let reason) = status { reason } else { nil }
  }

  /// The delay before the attempt in progress runs; zero if no attempt is in progress.
  package var delay: Duration {
    guard let attempt else { return .zero }
    // Decoded delays are clamped here, as those of a backoff are.
    return attempt == 1 ? EffectBackoff.constant(firstDelay ?? .zero).delay(before: 2) : backoff.delay(before: attempt)
  }

  /// The number of attempts that may follow the one in progress; zero if none is in progress.
  var attemptsLeft: Int { attempt.map { max(maxAttempts - $0, 0) } ?? 0 }

  /// The delay before a retry of the attempt in progress, from 1 on.
  func delay(beforeRetry retry: Int) -> Duration { backoff.delay(before: (attempt ?? 1) + retry) }

  /// Puts attempt 1 in progress; a ``StateEffect`` then performs it.
  ///
  /// - Changes nothing if an attempt is in progress: the current run keeps its own `maxAttempts` and delays.
  /// - Parameters:
  ///   - maxAttempts: The number of attempts that this run may make, the first included; a number below 1 counts as 1.
  ///   - backoff: The delays before the attempts after the first.
  ///   - delay: The delay before the first attempt, which is in progress meanwhile; a negative one counts as zero.
  public mutating func run(maxAttempts: Int = 1, backoff: EffectBackoff = .none, delay: Duration = .zero) {
    guard !isInProgress else { return }
    restart(maxAttempts: maxAttempts, backoff: backoff, delay: delay)
  }

  /// Begins again with attempt 1, whether or not an attempt is in progress.
  ///
  /// - Restarted with a delay by each of many actions, it performs the job once they have paused for that long.
  /// - Parameters:
  ///   - maxAttempts: The number of attempts that this run may make, the first included; a number below 1 counts as 1.
  ///     Nil keeps that of the last run, which is 1 if there was none since the state was made or reset.
  ///   - backoff: The delays before the attempts after the first. Nil keeps those of the last run, likewise.
  ///   - delay: The delay before the first attempt, which is not that of the last run; a negative one counts as zero.
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

  /// Begins the next attempt, which waits for the delay of the backoff, or fails if no attempt is left.
  ///
  /// - Changes nothing if no attempt is in progress.
  /// - Parameter reason: The reason why the attempt failed; it is kept only if no attempt is left.
  public mutating func retryOrFail(_ reason: String) {
    guard let attempt else { return }
    if attempt < maxAttempts { begin(attempt: attempt + 1) } else { fail(reason) }
  }

  /// Begins the next attempt, which waits for the delay of the backoff, or fails if no attempt is left.
  ///
  /// - Changes nothing if no attempt is in progress.
  /// - Parameter error: The error of the attempt; its description, without ``Confidential`` parts, is the reason, only if
  ///   no attempt is left.
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
  /// - Also from ``Status/idle``: the job failed before it could begin. Changes nothing once the job has ended.
  /// - Parameter reason: The reason why the job failed, which ``reason`` keeps.
  public mutating func fail(_ reason: String) {
    end(with: .failed(reason: reason))
  }

  /// Sets the status to ``Status/failed(reason:)``, even if attempts are left.
  ///
  /// - Also from ``Status/idle``: the job failed before it could begin. Changes nothing once the job has ended.
  /// - Parameter error: The error of the job; its description, without ``Confidential`` parts, is the ``reason``.
  public mutating func fail(_ error: any Error) {
    fail(Confidentiality.description(of: error))
  }

  /// Cancels the job: sets the status to ``Status/cancelled``.
  ///
  /// - Also from ``Status/idle``: the job is not to begin. Changes nothing once the job has ended.
  public mutating func cancel() {
    end(with: .cancelled)
  }

  /// Sets the status to ``Status/idle`` from any other, which cancels an attempt in progress, and forgets `maxAttempts`
  /// and the delays.
  ///
  /// - The attempts begun so far stay counted: a reset state equals a new one only if no attempt has begun.
  public mutating func reset() {
    status = .idle
    maxAttempts = 1
    backoff = .none
    firstDelay = nil
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
