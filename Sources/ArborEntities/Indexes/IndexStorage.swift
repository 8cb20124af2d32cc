/// The storage of a table for one of its indexes, whatever that is.
@usableFromInline
class IndexStorage: @unchecked Sendable {  // Changed only by a table that is its single owner.
  @inlinable
  init() {}
}
