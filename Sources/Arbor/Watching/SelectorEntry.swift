/// A cache entry for one selector, without the parts that depend on the selector's types; see ``SelectorOutputEntry``.
@usableFromInline
class SelectorEntry {
  @usableFromInline final let selector: UInt64

  private let life: SelectorLife

  /// The last version of the state for which the output was found up to date.
  @usableFromInline
  @exclusivity(unchecked)
  final var version: StateVersion?

  /// The number of times the output was computed.
  @usableFromInline
  @exclusivity(unchecked)
  final var recomputations = 0

  @usableFromInline
  init(of identity: SelectorIdentity) {
    selector = identity.number
    life = identity.life
  }

  /// `true` if the selector still exists, so that it may be read again.
  final var selectorExists: Bool { !life.isGone }
}

/// A cache entry with the last output of a selector; the inputs of the output are in ``SelectorInputsEntry``.
@usableFromInline
class SelectorOutputEntry<Output: Equatable>: SelectorEntry {
  @usableFromInline
  @exclusivity(unchecked)
  final var output: Output?

  @usableFromInline
  override init(of identity: SelectorIdentity) {
    super.init(of: identity)
  }
}

/// A cache entry with the last output of a selector and the inputs from which the output was computed.
@usableFromInline
final class SelectorInputsEntry<Inputs, Output: Equatable>: SelectorOutputEntry<Output> {
  @usableFromInline
  @exclusivity(unchecked)
  var inputs: Inputs?

  @usableFromInline
  override init(of identity: SelectorIdentity) {
    super.init(of: identity)
  }

  /// Stores a new output and its inputs, and returns the cached output: if the old one equals the new one, the old one
  /// is kept.
  @inlinable
  func store(_ new: Output, of inputs: Inputs, at version: StateVersion) -> Output {
    recomputations += 1
    self.inputs = inputs
    self.version = version
    if let output, output == new { return output }
    output = new
    return new
  }
}

/// A version of a reader's state. Two reads only have equal versions if the state can't have changed between them.
@usableFromInline
struct StateVersion: Equatable, Sendable {
  /// A number that grows with every change to the state.
  @usableFromInline let revision: UInt64

  /// The identity of the store that is read: each scope of a node has its own state.
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
