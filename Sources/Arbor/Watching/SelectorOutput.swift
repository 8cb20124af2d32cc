/// The one output that a reader remembers of a selector; what it was computed from is in ``SelectorMemory``.
@usableFromInline
class SelectorOutput<Output: Equatable>: SelectorEntry {
  @usableFromInline
  @exclusivity(unchecked)
  final var output: Output?

  @usableFromInline
  override init(of identity: SelectorIdentity) {
    super.init(of: identity)
  }
}
