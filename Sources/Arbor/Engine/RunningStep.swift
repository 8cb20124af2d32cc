/// The notes of a tree about the action that runs.
@usableFromInline
struct RunningStep {
  /// Counts the forms that actions take: each action that begins, and each replacement of one. A scoped feature looks at
  /// an action once for each form.
  @usableFromInline var form: UInt64 = 0

  /// The outcome of the mutations that the reducers have applied.
  @usableFromInline var writes = WriteOutcome.none

  /// `true` if a change was made whose caller waits for it, and which it would lose if the action were no step.
  @usableFromInline var hasAwaitedChange = false

  /// The sender of the action, until an interceptor has decided that the action is reduced; nil if it has none. Who runs
  /// the step keeps it alive.
  @usableFromInline unowned(unsafe) var undecidedSender: ActionSender?

  /// The parts of the action that scoped features keep from the interceptors to the effects.
  @usableFromInline var kept = ContiguousArray<Unmanaged<KeptPart>>()

  @inlinable
  init() {}
}

/// A part of the running action that a feature stores until the step ends, whatever becomes of the action.
@usableFromInline
package class KeptPart: @unchecked Sendable {  // Sendable because it is used on the tree's queue only.
  @inlinable
  package init() {}

  /// Releases the part.
  @usableFromInline
  package func letGo() {}
}

/// The outcome of the mutations that reducers have applied themselves, each of which may fail.
@usableFromInline
enum WriteOutcome {
  /// No mutation was applied.
  case none

  /// At least one mutation has succeeded.
  case made

  /// Mutations were applied, and all of them have failed.
  case failed

  mutating func note(_ isMade: Bool) {
    if isMade {
      self = .made
    } else if self == .none {
      self = .failed
    }
  }
}
