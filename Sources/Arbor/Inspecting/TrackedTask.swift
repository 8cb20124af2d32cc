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
  private let asleep = Atomic(false)

  /// What the language's task is told by from those that are parts of it; 0 before its body has begun.
  private let identity = Atomic(0)
  private let registered = Protected<@Sendable () -> Void>({})

  private let isTimeManual: Bool

  /// Runs what waits for who runs the tree.
  package let run: @Sendable () -> Void

  init(
    key: (any Hashable & Sendable)?,
    cause: (any Sendable)?,
    isEffect: Bool,
    isTimeManual: Bool,
    run: @escaping @Sendable () -> Void
  ) {
    self.key = key
    self.cause = cause
    self.isEffect = isEffect
    self.isTimeManual = isTimeManual
    self.run = run
  }

  /// Whether its body has begun; else it waits for its turn.
  package var hasBegun: Bool { begun.load(ordering: .acquiring) }

  /// Whether it sleeps on a clock that is moved by hand: it itself, for while a part of it does, others may be elsewhere.
  package var isAsleep: Bool { asleep.load(ordering: .acquiring) }

  /// It goes to sleep on a clock that is moved by hand, or is woken, if it is it itself whose code is running.
  package func sleep(_ isAsleep: Bool) {
    if identity.load(ordering: .relaxed) == Self.currentIdentity { asleep.store(isAsleep, ordering: .releasing) }
  }

  private static var currentIdentity: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

  /// Whether it waits for what no step brings: something outside, or real time.
  package var isElsewhere: Bool { hasBegun ? !isAsleep : !isTimeManual }

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

  /// An operation whose parts know that they are this task's.
  @usableFromInline
  func tracking<Input: Sendable, Value>(
    _ operation: @escaping @Sendable (Input) async throws -> Value
  ) -> @Sendable (Input) async throws -> Value {
    { input in
      self.identity.store(Self.currentIdentity, ordering: .relaxed)
      return try await TrackedTask.$current.withValue(self) { try await operation(input) }
    }
  }
}
