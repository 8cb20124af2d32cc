public import Synchronization

/// Keeps states from an observer that has no use for them until it has dealt with one: not even its scope is asked.
@usableFromInline
final class ObserverPause: Sendable {
  @usableFromInline let isOn = Atomic(false)

  /// From any thread.
  @inlinable
  var isSet: Bool { isOn.load(ordering: .sequentiallyConsistent) }

  func set(_ isSet: Bool) {
    isOn.store(isSet, ordering: .sequentiallyConsistent)
  }
}
