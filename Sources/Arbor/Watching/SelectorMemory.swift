/// The output that a reader remembers of a selector, and the inputs it was computed from.
@usableFromInline
final class SelectorMemory<Inputs, Output: Equatable>: SelectorOutput<Output> {
  @usableFromInline
  @exclusivity(unchecked)
  var inputs: Inputs?

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
