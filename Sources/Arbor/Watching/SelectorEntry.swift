/// The memory of a reader for one selector; what depends on its types is in ``SelectorOutput``.
@usableFromInline
class SelectorEntry {
  @usableFromInline final let selector: UInt64

  private let life: SelectorLife

  /// When the output was last found up to date.
  @usableFromInline
  @exclusivity(unchecked)
  final var moment: StateVersion?

  /// How often the output was computed.
  @usableFromInline
  @exclusivity(unchecked)
  final var recomputations = 0

  @usableFromInline
  init(of identity: SelectorIdentity) {
    selector = identity.number
    life = identity.life
  }

  /// `true` if the selector may be read again.
  final var isOfUse: Bool { !life.isOver }
}

/// The one output that a reader remembers of a selector; what it was computed from is in ``SelectorInputsEntry``.
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

/// The output that a reader remembers of a selector, and the inputs it was computed from.
@usableFromInline
final class SelectorInputsEntry<Inputs, Output: Equatable>: SelectorOutput<Output> {
  @usableFromInline
  @exclusivity(unchecked)
  var inputs: Inputs?

  @usableFromInline
  override init(of identity: SelectorIdentity) {
    super.init(of: identity)
  }

  /// Remembers what was computed, or keeps the old output if it is equal to that.
  @inlinable
  func remember(_ new: Output, of inputs: Inputs, at moment: StateVersion) -> Output {
    recomputations += 1
    self.inputs = inputs
    self.moment = moment
    if let output, output == new { return output }
    output = new
    return new
  }
}

/// Tells two readings apart between which the state may have changed.
@usableFromInline
struct StateVersion: Equatable, Sendable {
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
  static func == (left: StateVersion, right: StateVersion) -> Bool {
    left.revision == right.revision && left.reader.number == right.reader.number
  }
}
