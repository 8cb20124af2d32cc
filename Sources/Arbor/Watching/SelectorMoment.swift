/// Tells two readings apart between which the state may have changed.
@usableFromInline
struct SelectorMoment: Equatable, Sendable {
  /// A number that grows with every change.
  @usableFromInline let revision: UInt64

  /// Whose state is read: scopes of one node have a state each.
  @usableFromInline let reader: Identity

  @inlinable
  init(revision: UInt64, reader: Identity) {
    self.revision = revision
    self.reader = reader
  }

  @inlinable
  static func == (left: SelectorMoment, right: SelectorMoment) -> Bool {
    left.revision == right.revision && left.reader.number == right.reader.number
  }
}
