/// The functions that perform a feature's effects in a place.
@usableFromInline
package struct PlacedEffects<Action: Sendable>: Sendable {
  /// Starts the effects that the initial state needs. Called once, after the node is open.
  @usableFromInline package let begin: @Sendable () -> Void

  /// Performs the effects of a reduced action. Its second argument is the element of a collection to which the action
  /// belongs; nil outside collections.
  @usableFromInline package let perform: @Sendable (Action, ElementKey?, EffectGroup?) -> Void

  /// Starts and ends effects to match a state that another feature's action left; nil if none depend on it.
  @usableFromInline package let update: (@Sendable () -> Void)?

  /// For a feature that only receives its own actions: sets where the feature requests its effects, and its position
  /// there. Nil if the feature receives each action.
  @usableFromInline package let joinRequests: (@Sendable (RequestedEffects, _ position: Int) -> Void)?

  @inlinable
  package init(
    begin: @escaping @Sendable () -> Void,
    perform: @escaping @Sendable (Action, ElementKey?, EffectGroup?) -> Void,
    update: (@Sendable () -> Void)?,
    joinRequests: (@Sendable (RequestedEffects, _ position: Int) -> Void)? = nil
  ) {
    self.begin = begin
    self.perform = perform
    self.update = update
    self.joinRequests = joinRequests
  }

  /// Unwraps effects that ``featureEffects`` wrapped.
  @inlinable
  package init(_ effects: FeatureEffects<Action>) { self = effects.detail as! PlacedEffects }

  /// The effects in the form that the core takes.
  @inlinable package var featureEffects: FeatureEffects<Action> {
    FeatureEffects(
      begin: begin,
      perform: { [perform] action, tracker in perform(action, nil, .of(tracker)) },
      update: update,
      detail: self,
      combine: { effects in PlacedEffects.combined(effects.map { PlacedEffects($0) }).featureEffects }
    )
  }

  /// Combines the effects of features of the same place, in order; at least one.
  @inlinable
  static func combined(_ features: [PlacedEffects]) -> PlacedEffects {
    var groups: [PlacedEffects] = []
    var rest = features[...]
    while let first = rest.first {
      let skippable = rest.prefix { $0.joinRequests != nil }
      groups.append(skippable.count > 1 ? PlacedEffects(requestedOf: Array(skippable)) : first)
      rest = rest.dropFirst(max(skippable.count, 1))
    }
    return groups.dropLast().reversed().reduce(groups[groups.count - 1]) { following, first in
      first.followed(by: following)
    }
  }

  /// Makes the effects of neighbors that only receive their own actions. The others are skipped together, so the cost
  /// of an action doesn't grow with their number.
  @inlinable
  init(requestedOf features: [PlacedEffects]) {
    let requests = RequestedEffects()
    for (position, feature) in features.enumerated() { feature.joinRequests?(requests, position) }
    self.init(
      begin: { for feature in features { feature.begin() } },
      perform: { action, key, group in
        guard let positions = requests.take() else { return }
        for position in positions { features[position].perform(action, key, group) }
      },
      update: nil
    )
  }

  /// Returns the effects of two features of the same place, these first.
  @inlinable
  func followed(by other: PlacedEffects) -> PlacedEffects {
    PlacedEffects(
      begin: { [begin] in
        begin()
        other.begin()
      },
      perform: { [perform] action, key, group in
        perform(action, key, group)
        other.perform(action, key, group)
      },
      update: both(update, other.update)
    )
  }
}

/// Returns a function that calls two functions in order; nil if both are nil.
@inlinable
package func both(_ first: (@Sendable () -> Void)?, _ second: (@Sendable () -> Void)?) -> (@Sendable () -> Void)? {
  guard let first else { return second }
  guard let second else { return first }
  return {
    first()
    second()
  }
}

/// The effects of a combination that the running action requests, as a range of the features' positions. Only used on
/// the tree's queue: the scopes that include positions and the combination that takes them work in the same tree.
@usableFromInline
package final class RequestedEffects: Sendable {
  @usableFromInline
  @exclusivity(unchecked)
  nonisolated(unsafe) var first = Int.max
  @usableFromInline
  @exclusivity(unchecked)
  nonisolated(unsafe) var last = -1

  @inlinable
  init() {}

  @inlinable
  package func include(_ position: Int) {
    first = min(first, position)
    last = max(last, position)
  }

  /// Takes out the positions from the first to the last that were included; nil if there are none.
  @inlinable
  func take() -> ClosedRange<Int>? {
    guard first <= last else { return nil }
    defer { (first, last) = (.max, -1) }
    return first...last
  }
}
