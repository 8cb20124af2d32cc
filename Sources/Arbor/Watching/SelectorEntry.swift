/// What a reader remembers of one selector; what depends on its types is in ``SelectorMemory``.
@usableFromInline
class SelectorEntry {
  @usableFromInline final let selector: UInt64

  /// The selector, while anyone has it.
  private weak var identity: SelectorIdentity?

  /// When the output was last found up to date.
  @usableFromInline
  @exclusivity(unchecked)
  final var moment: SelectorMoment?

  /// How often the output was computed.
  @usableFromInline
  @exclusivity(unchecked)
  final var recomputations = 0

  @usableFromInline
  init(of identity: SelectorIdentity) {
    selector = identity.number
    self.identity = identity
  }

  /// Whether the selector may be read again.
  final var isOfUse: Bool { identity != nil }
}
