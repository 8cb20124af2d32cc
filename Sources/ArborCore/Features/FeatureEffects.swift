/// The functions that perform a feature's effects at a node.
@usableFromInline
package struct FeatureEffects<Action: Sendable>: Sendable {
  /// Starts the effects that the initial state needs. Called once, after the node is open.
  @usableFromInline package let begin: @Sendable () -> Void

  /// Performs the effects of a reduced action.
  @usableFromInline package let perform: @Sendable (Action, EffectTracker?) -> Void

  /// Starts and ends effects to match a state that another feature's action left; nil if none depend on it.
  @usableFromInline package let update: (@Sendable () -> Void)?

  /// The effects in the form that their capability uses.
  @usableFromInline package let detail: any Sendable

  /// Combines the effects of features of the same place, in order. All must belong to the same capability.
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
