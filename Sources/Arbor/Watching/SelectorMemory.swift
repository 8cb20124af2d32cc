/// The one output that a reader remembers of a selector, and what it was computed from.
@usableFromInline
final class SelectorMemory<Inputs, Output: Equatable>: SelectorEntry {
  @usableFromInline
  @exclusivity(unchecked)
  var inputs: Inputs?

  @usableFromInline
  @exclusivity(unchecked)
  var output: Output?

  @usableFromInline
  override init(of identity: SelectorIdentity) {
    super.init(of: identity)
  }

  /// Remembers what was computed, or keeps the old output if it is equal to that.
  @inlinable
  func remember(_ new: Output, of inputs: Inputs, at moment: SelectorMoment) -> Output {
    recomputations += 1
    self.inputs = inputs
    self.moment = moment
    if let output, output == new { return output }
    output = new
    return new
  }
}
