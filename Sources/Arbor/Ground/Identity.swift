internal import Synchronization

/// A number that is unique in the process. It identifies observers, stores, tasks and other objects.
@usableFromInline
package struct Identity: Hashable, Sendable {
  private static let last = Atomic<UInt64>(0)

  @usableFromInline package let number: UInt64

  /// Takes the next number. No number is used twice: 64 bits are enough for any process.
  @usableFromInline
  package init() {
    number = Identity.last.add(1, ordering: .relaxed).newValue
  }
}
