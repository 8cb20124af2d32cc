/// A change of a state that may not take place, because it throws or because there is no such state. It returns whether
/// it has taken place.
@usableFromInline
final class ConditionalWrite: Sendable {
  @usableFromInline let apply: @Sendable (UnsafeMutableRawPointer?) -> Bool

  /// `true` if a caller of `commit` waits for the change.
  let isAwaited: Bool

  /// `true` if the change may fail to take place.
  @usableFromInline let canFail: Bool

  /// `true` if the change takes place and changes nothing: it stands for one of another state.
  let changesNothing: Bool

  /// The part for which the mutation was made; nil if it was made for the whole.
  let target: MutationTarget?

  init(
    isAwaited: Bool,
    canFail: Bool,
    changesNothing: Bool = false,
    target: MutationTarget? = nil,
    _ apply: @escaping @Sendable (UnsafeMutableRawPointer?) -> Bool
  ) {
    self.isAwaited = isAwaited
    self.canFail = canFail
    self.changesNothing = changesNothing
    self.target = target
    self.apply = apply
  }
}

/// The part of a whole for which a mutation of the whole was made, and the mutation of that part.
@usableFromInline
final class MutationTarget: Sendable {
  @usableFromInline let path: any AnyKeyPath & Sendable

  /// The bytes of the part in the whole; nil if it is not stored there.
  let bytes: Range<Int>?

  /// The mutation of the part, a `Mutation` of its type.
  let mutation: any Sendable

  /// Applies the mutation of the part.
  let apply: @Sendable (UnsafeMutableRawPointer?) -> Bool

  init(
    path: any AnyKeyPath & Sendable,
    bytes: Range<Int>?,
    mutation: any Sendable,
    apply: @escaping @Sendable (UnsafeMutableRawPointer?) -> Bool
  ) {
    self.path = path
    self.bytes = bytes
    self.mutation = mutation
    self.apply = apply
  }
}
