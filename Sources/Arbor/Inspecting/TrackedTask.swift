internal import Synchronization

/// A task of a tree that is run by hand: who it is, and whether it sleeps on a clock that is moved by hand.
@usableFromInline
package final class TrackedTask: Sendable {
  /// The task whose code is running, or that of which it is a part.
  @TaskLocal package static var current: TrackedTask?

  /// Its place in the order in which tasks came.
  package let number = Identity().number

  /// What it is known by, if by anything.
  package let key: (any Hashable & Sendable)?

  /// The action that set it off; nil if it was a state, or if the store was told to start it.
  package let cause: (any Sendable)?

  /// Whether it is an effect's.
  package let isEffect: Bool

  private let begun = Atomic(false)
  private let sleeps = Atomic(0)
  private let registered = Protected<@Sendable () -> Void>({})

  /// What is known of its tree.
  package let inspection: Inspection

  init(key: (any Hashable & Sendable)?, cause: (any Sendable)?, isEffect: Bool, in inspection: Inspection) {
    self.key = key
    self.cause = cause
    self.isEffect = isEffect
    self.inspection = inspection
    inspection.add(self)
  }

  /// Whether its body has begun; else it waits for its turn.
  package var hasBegun: Bool { begun.load(ordering: .acquiring) }

  /// Whether a part of it sleeps on a clock that is moved by hand.
  package var isAsleep: Bool { sleeps.load(ordering: .acquiring) > 0 }

  /// A part of it goes to sleep on a clock that is moved by hand.
  package func fallAsleep() {
    sleeps.wrappingAdd(1, ordering: .acquiringAndReleasing)
  }

  /// A part of it is woken.
  package func awake() {
    sleeps.wrappingSubtract(1, ordering: .acquiringAndReleasing)
  }

  /// Whether it waits for what no step brings: something outside, or real time.
  package var isElsewhere: Bool { hasBegun ? !isAsleep : !inspection.isTimeManual }

  /// Cancels it, and revokes what it has sent.
  package func cancel() {
    registered.withLock { $0 }()
  }

  /// It has its place in a table, by which it is cancelled.
  func whenCancelled(_ cancel: @escaping @Sendable () -> Void) {
    registered.withLock { $0 = cancel }
  }

  func begin() {
    begun.store(true, ordering: .releasing)
  }

  /// Its body has ended, or will never begin.
  func end() {
    inspection.remove(self)
  }

  /// An operation whose parts know that they are this task's.
  @usableFromInline
  func tracking<Input: Sendable, Value>(
    _ operation: @escaping @Sendable (Input) async throws -> Value
  ) -> @Sendable (Input) async throws -> Value {
    { input in
      try await TrackedTask.$current.withValue(self) { try await operation(input) }
    }
  }
}
