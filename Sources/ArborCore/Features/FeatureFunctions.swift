/// The functions with which a feature works in one place of a tree.
@usableFromInline
package struct FeatureFunctions<State: Sendable, Action: Sendable>: Sendable {
  @usableFromInline
  package typealias MakeFollowedReducer =
    @Sendable (_ next: @escaping Reducer<State, Action>) -> Reducer<State, Action>?

  /// The reducer; nil if the feature doesn't change the state.
  @usableFromInline package let reducer: Reducer<State, Action>?

  /// Makes the reducer and the one that follows it as one function, which saves one call for each action that isn't the
  /// feature's; nil if that isn't worthwhile.
  @usableFromInline let makeReducerFollowedBy: MakeFollowedReducer?

  @usableFromInline package let interceptors: [Interceptor<State, Action>]

  /// The effects; nil if the feature has none.
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

  /// Combines the functions of several features of the same place, in order.
  @inlinable
  init(combining features: [FeatureFunctions]) {
    var reducer: Reducer<State, Action>?
    // From last to first, so that each call ends with a call of the rest, without a chain of returns.
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

  // Each is a closure that captures two others: unlike a loop over an array, calling it doesn't copy or retain
  // anything. None is made by a function that is generic over closures: such closures are called through thunks.

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

  /// Returns the functions of a node that has this feature.
  ///
  /// - Parameters:
  ///   - box: The node's own state, which the interceptors read.
  ///   - reduce: Calls the reducers; nil if there are none.
  ///   - canFail: Returns `true` if an action may turn out not to be a step; nil if every action is one.
  ///   - undoesAlways: `true` if such an action may have changed something, regardless of other stations.
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
    return StationFunctions(
      makeJudge: makeJudge,
      reduce: reduce,
      canFail: canFail,
      undoesAlways: undoesAlways,
      effects: effects?.perform
    )
  }
}
