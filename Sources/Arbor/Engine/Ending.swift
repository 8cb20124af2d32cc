internal import Synchronization

/// How an observer ends that says so by a call: from any thread, at any time, any number of times.
@usableFromInline
class Ending: @unchecked Sendable {  // The flag is atomic; the subclass says how it holds for the rest.
  private let ended = Atomic(false)

  @usableFromInline
  init() {}

  @usableFromInline
  final var isEnded: Bool { ended.load(ordering: .acquiring) }

  /// Marks the end.
  ///
  /// - Returns: Whether it was not marked before.
  final func end() -> Bool {
    !ended.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Lets go of the observer's closure, which may hold this very object. Called once the subscription is out of its list.
  @usableFromInline
  func releaseClosure() {}
}
