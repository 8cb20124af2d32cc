/// A number that is unique in the process. It identifies observers, stores, tasks and other objects.
@usableFromInline
package struct Identity: Hashable, Sendable {
  private static let last = AtomicNumber(0)

  @usableFromInline package let number: UInt64

  /// Takes the next number. No number is used twice: 64 bits are enough for any process.
  @usableFromInline
  package init() {
    number = UInt64(truncatingIfNeeded: Identity.last.add(1))
  }
}
