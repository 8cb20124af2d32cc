/// The numbers of actions with each outcome.
public struct OutcomeCounts: Sendable, Hashable {
  /// The number of actions that were reduced as they were dispatched.
  public private(set) var reduced = 0

  /// The number of actions in whose place another one was reduced.
  public private(set) var replaced = 0

  /// The number of actions that an interceptor has dropped.
  public private(set) var dropped = 0

  /// The number of actions that an interceptor has held. Each that went on later is counted once more.
  public private(set) var held = 0

  /// The number of actions whose task was cancelled.
  public private(set) var revoked = 0

  /// Commits that have thrown, or for whose part there was no state.
  public private(set) var failed = 0

  /// All of them.
  public var total: Int { reduced + replaced + dropped + held + revoked + failed }

  mutating func add(_ outcome: LoggedOutcome) {
    switch outcome {
    case .reduced: reduced += 1
    case .replaced: replaced += 1
    case .dropped: dropped += 1
    case .held: held += 1
    case .revoked: revoked += 1
    case .failed: failed += 1
    }
  }
}
