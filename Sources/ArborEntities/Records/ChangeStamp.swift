internal import Arbor

/// Tells one version of a table, or of one of its records, from another in constant time.
///
/// - Equal stamps of two versions mean that nothing has changed but what `==` does not see: the one is a copy of the other.
///   Two copies that were changed apart from each other never have the same stamp, not even where they hold the same.
/// - Unique in the process, and not encoded.
public struct ChangeStamp: Hashable, Sendable {
  @usableFromInline let number: UInt64

  /// The stamp of what was never changed since it was made empty.
  @inlinable
  init(unchanged: Void) {
    number = 0
  }

  /// Takes a new one.
  @usableFromInline
  init() {
    number = Identity().number
  }
}
