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
