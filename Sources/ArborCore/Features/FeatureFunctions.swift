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
    return StationFunctions(
      makeJudge: makeJudge,
      reduce: reduce,
      canFail: canFail,
      undoesAlways: undoesAlways,
      effects: effects?.perform
    )
  }
}
