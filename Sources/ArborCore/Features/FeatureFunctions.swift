/// The functions by which a feature works in one place of a tree.
@usableFromInline
package struct FeatureFunctions<State: Sendable, Action: Sendable>: Sendable {
  @usableFromInline
  package typealias MakeFollowedReducer =
    @Sendable (_ next: @escaping Reducer<State, Action>) -> Reducer<State, Action>?

  /// Nil if the feature does not change the state.
  @usableFromInline package let reducer: Reducer<State, Action>?

  /// Makes the reducer together with the one that follows it, in one function, which saves each action that is not the
  /// feature's a call; nil if that is not worth it.
  @usableFromInline let makeReducerFollowedBy: MakeFollowedReducer?

  @usableFromInline package let interceptors: [Interceptor<State, Action>]

  /// Nil if the feature has no effects.
  @usableFromInline package let effects: FeatureEffects<Action>?

  @inlinable
  package init(
    reducer: Reducer<State, Action>?,
    makeReducerFollowedBy: MakeFollowedReducer? = nil,
    interceptors: [Interceptor<State, Action>] = [],
    effects: FeatureEffects<Action>? = nil
  ) {
    self.reducer = reducer
    self.makeReducerFollowedBy = makeReducerFollowedBy
    self.interceptors = interceptors
    self.effects = effects
  }

  /// Makes the functions of several features of the same place, in order.
  @inlinable
  init(combining features: [FeatureFunctions]) {
    var reducer: Reducer<State, Action>?
    // From the last on, so that each call is followed by one to the rest, and none by a chain of returns.
    for feature in features.reversed() {
      if let next = reducer, let makeReducer = feature.makeReducerFollowedBy {
        reducer = makeReducer(next)
      } else {
        reducer = FeatureFunctions.reducer(feature.reducer, followedBy: reducer)
      }
    }
    self.init(
      reducer: reducer,
      interceptors: features.flatMap(\.interceptors),
      effects: FeatureEffects.combined(features.compactMap(\.effects))
    )
  }

  // Each is a closure that captures two others: its call copies and retains nothing, which a loop over an array does.
  // None is made by a function that is generic over closures: such closures are called through thunks.

  @inlinable
  static func reducer(
    _ reducer: Reducer<State, Action>?,
    followedBy other: Reducer<State, Action>?
  ) -> Reducer<State, Action>? {
    guard let reducer else { return other }
    guard let other else { return reducer }
    return { state, action in
      reducer(&state, action)
      other(&state, action)
    }
  }

  /// The functions of a node that has this feature.
  ///
  /// - Parameters:
  ///   - box: The node's own state, which the interceptors read.
  ///   - reduce: Calls the reducers; nil if there are none.
  ///   - canFail: Returns `true` if an action may turn out to be no step; nil if none can.
  ///   - undoesAlways: `true` if such an action may have changed something, whatever other stations do.
  @inlinable
  func station(
    at address: NodeAddress,
    _ box: StateBox<State>,
    reduce: (@Sendable (Action) -> Bool)?,
    canFail: (@Sendable (Action) -> Bool)?,
    undoesAlways: Bool = false
  ) -> StationFunctions<Action> {
    var makeJudge: StationFunctions<Action>.MakeJudge?
    if !interceptors.isEmpty {
      makeJudge = { [interceptors, read = box.read(on: address.tree)] dispatch in
        let store = InterceptedStore<State, Action>(dispatch: dispatch, read: read, current: nil, address: address)
        return Interceptor.makeJudge(of: interceptors[...], in: Interceptor.Context(store))
      }
    }
    var perform: (@Sendable (Action, EffectGroup?) -> Void)?
    if let effects { perform = { [perform = effects.perform] action, group in perform(action, nil, group) } }
    return StationFunctions(
      makeJudge: makeJudge,
      reduce: reduce,
      canFail: canFail,
      undoesAlways: undoesAlways,
      effects: perform
    )
  }
}

/// Calls both of two functions, in order; nil if there is none.
@inlinable
package func both(_ first: (@Sendable () -> Void)?, _ second: (@Sendable () -> Void)?) -> (@Sendable () -> Void)? {
  guard let first else { return second }
  guard let second else { return first }
  return {
    first()
    second()
  }
}

/// The functions by which a feature's effects are performed.
@usableFromInline
package struct FeatureEffects<Action: Sendable>: Sendable {
  /// Starts the effects that the initial state asks for. Called once, after the node is open.
  @usableFromInline package let begin: @Sendable () -> Void

  /// Performs the effects of an action that was reduced. Its second argument is the element of a collection to which
  /// the action belongs; nil outside collections.
  @usableFromInline package let perform: @Sendable (Action, ElementKey?, EffectGroup?) -> Void

  /// Ends and begins effects because of a state that another feature's action has left; nil if none depend on that.
  @usableFromInline package let update: (@Sendable () -> Void)?

  /// Tells a feature that is only asked for its own actions where it requests that, and its position there; nil if the
  /// feature is asked for each action.
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

  /// Combines the effects of features of the same place, in order; nil if there are none.
  @inlinable
  static func combined(_ features: [FeatureEffects]) -> FeatureEffects? {
    var groups: [FeatureEffects] = []
    var rest = features[...]
    while let first = rest.first {
      let skippable = rest.prefix { $0.joinRequests != nil }
      groups.append(skippable.count > 1 ? FeatureEffects(requestedOf: Array(skippable)) : first)
      rest = rest.dropFirst(max(skippable.count, 1))
    }
    guard let last = groups.last else { return nil }
    return groups.dropLast().reversed().reduce(last) { following, first in first.followed(by: following) }
  }

  /// Makes the effects of neighbors that are only asked for their own actions. They are skipped together: what an action
  /// costs does not grow with their number.
  @inlinable
  init(requestedOf features: [FeatureEffects]) {
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

  /// The effects of two features of the same place, these first.
  @inlinable
  package func followed(by other: FeatureEffects?) -> FeatureEffects {
    guard let other else { return self }
    return FeatureEffects(
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

/// The effects of a combination that the running action requests, as a range of the features' positions. On the tree's
/// queue only.
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
