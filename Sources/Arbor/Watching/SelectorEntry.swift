/// What a reader remembers of one selector; what depends on its types is in ``SelectorOutput``.
@usableFromInline
class SelectorEntry {
  @usableFromInline final let selector: UInt64

  private let life: SelectorLife

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
    life = identity.life
  }

  /// Whether the selector may be read again.
  final var isOfUse: Bool { !life.isOver }
}
