/// The functions by which a feature's effects are performed at a node.
@usableFromInline
package struct FeatureEffects<Action: Sendable>: Sendable {
  /// Starts the effects that the initial state asks for. Called once, after the node is open.
  @usableFromInline package let begin: @Sendable () -> Void

  /// Performs the effects of an action that was reduced.
  @usableFromInline package let perform: @Sendable (Action, EffectTracker?) -> Void

  /// Ends and begins effects because of a state that another feature's action has left; nil if none depend on that.
  @usableFromInline package let update: (@Sendable () -> Void)?

  /// The effects in the form of the capability that has made them.
  @usableFromInline package let detail: any Sendable

  /// Combines the effects of features of the same place, in order. All are of the same capability.
  @usableFromInline let combine: @Sendable ([FeatureEffects]) -> FeatureEffects

  @inlinable
  package init(
    begin: @escaping @Sendable () -> Void,
    perform: @escaping @Sendable (Action, EffectTracker?) -> Void,
    update: (@Sendable () -> Void)?,
    detail: any Sendable,
    combine: @escaping @Sendable ([FeatureEffects]) -> FeatureEffects
  ) {
    self.begin = begin
    self.perform = perform
    self.update = update
    self.detail = detail
    self.combine = combine
  }

  /// Combines the effects of features of the same place, in order; nil if there are none.
  @inlinable
  static func combined(_ effects: [FeatureEffects]) -> FeatureEffects? {
    effects.count > 1 ? effects[0].combine(effects) : effects.first
  }
}
