internal import Synchronization

/// A number that nothing else in the process has: what tells observers and scopes apart.
@usableFromInline
package struct Identity: Hashable, Sendable {
  private static let last = Atomic<UInt64>(0)

  @usableFromInline package let number: UInt64

  /// Takes the next number. Never repeats: 64 bits outlast any process.
  @usableFromInline
  package init() {
    number = Identity.last.add(1, ordering: .relaxed).newValue
  }
}
