internal import Arbor

/// Identifies a version of a table or of a record, so that you can compare versions in constant time.
///
/// - If two versions have equal stamps, one is a copy of the other, and nothing has changed except parts that `==` does
///   not see. Two copies that were changed independently never have the same stamp, even if their content is equal.
/// - Stamps are unique within the process, and are not encoded.
public struct ChangeStamp: Hashable, Sendable {
  @usableFromInline let number: UInt64

  /// The stamp of a value that was created empty and never changed.
  @inlinable
  init(unchanged: Void) {
    number = 0
  }

  /// Makes a new, unique stamp.
  @usableFromInline
  init() {
    number = Identity().number
  }
}
