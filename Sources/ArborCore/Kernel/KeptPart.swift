/// A part of the running action that a feature stores until the step ends, whatever becomes of the action.
@usableFromInline
package final class KeptPart: Sendable {
  /// Releases the part. Called on the tree's queue.
  let letGo: @Sendable () -> Void

  @usableFromInline
  package init(letGo: @escaping @Sendable () -> Void) {
    self.letGo = letGo
  }
}

/// The outcome of the mutations that reducers have applied themselves, each of which may fail.
@usableFromInline
package enum WriteOutcome {
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
