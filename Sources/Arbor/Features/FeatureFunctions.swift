/// The functions by which a feature works in one place of a tree.
@usableFromInline
package struct FeatureFunctions<State: Sendable, Action: Sendable>: Sendable {
  /// Makes the function that runs interceptors on an action.
  ///
  /// - `dispatch` sends an action to the store to which the intercepted actions are dispatched. It may be kept, as may
  ///   `state`, and called at any time.
  @usableFromInline typealias MakePass =
    @Sendable (
      _ dispatch: @escaping @Sendable (Action) -> Void,
      _ state: InterceptedState<State>
    ) -> InterceptorChain<Action>.Pass

  @usableFromInline
  typealias MakeFollowedReducer =
    @Sendable (_ next: @escaping Reducer<State, Action>) -> Reducer<State, Action>?

  /// Nil if the feature does not change the state.
  @usableFromInline let reducer: Reducer<State, Action>?

  /// Makes the reducer together with the one that follows it, in one function, which saves each action that is not the
  /// feature's a call; nil if that is not worth it.
  @usableFromInline let makeReducerFollowedBy: MakeFollowedReducer?

  /// Nil if the feature has no interceptors.
  @usableFromInline let makePass: MakePass?

  /// Nil if the feature has no effects.
  @usableFromInline let effects: FeatureEffects<Action>?

  /// Lets go of an action that was intercepted or reduced, and whose effects are not performed; nil if none is kept.
  @usableFromInline let discard: (@Sendable () -> Void)?

  @inlinable
  init(
    reducer: Reducer<State, Action>?,
    makeReducerFollowedBy: MakeFollowedReducer? = nil,
    makePass: MakePass? = nil,
    effects: FeatureEffects<Action>? = nil,
    discard: (@Sendable () -> Void)? = nil
  ) {
    self.reducer = reducer
    self.makeReducerFollowedBy = makeReducerFollowedBy
    self.makePass = makePass
    self.effects = effects
    self.discard = discard
  }

  /// Makes the functions of several features of the same place, in order.
  @inlinable
  init(combining features: [FeatureFunctions]) {
    var (reducer, makePass): (Reducer<State, Action>?, MakePass?) = (nil, nil)
    var discard: (@Sendable () -> Void)?
    // From the last on, so that each call is followed by one to the rest, and none by a chain of returns.
    for feature in features.reversed() {
      if let next = reducer, let makeReducer = feature.makeReducerFollowedBy {
        reducer = makeReducer(next)
      } else {
        reducer = FeatureFunctions.reducer(feature.reducer, followedBy: reducer)
      }
      makePass = feature.makePass(followedBy: makePass)
      discard = both(feature.discard, discard)
    }
    let effects = FeatureEffects<Action>.combined(features.compactMap(\.effects))
    self.init(reducer: reducer, makePass: makePass, effects: effects, discard: discard)
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

  @inlinable
  func makePass(followedBy other: MakePass?) -> MakePass? {
    guard let makePass else { return other }
    guard let other else { return makePass }
    return { dispatch, state in
      let (pass, next) = (makePass(dispatch, state), other(dispatch, state))
      return { action in
        guard pass(&action) else {
          Tree.continueHeld(Action.self) { [readAgain = state.again] action in other(dispatch, readAgain())(&action) }
          return false
        }
        return next(&action)
      }
    }
  }

  /// The same functions, followed by other effects.
  @inlinable
  func followed(by others: FeatureEffects<Action>?) -> FeatureFunctions {
    guard let others else { return self }
    return FeatureFunctions(
      reducer: reducer,
      makePass: makePass,
      effects: effects?.followed(by: others) ?? others,
      discard: discard
    )
  }

  /// The interceptors of a node, followed by those that are added to it later; nil if the feature has none.
  ///
  /// - Parameter isTopmost: `true` if the node's ancestors declare none.
  @inlinable
  func interceptors(
    at address: NodeAddress,
    isTopmost: Bool,
    read: @escaping @Sendable () -> State
  ) -> InterceptorChain<Action>? {
    guard let makePass else { return nil }
    let state = InterceptedState(read: read, current: nil)
    return InterceptorChain { dispatch in
      let pass = makePass(dispatch, state)
      return { action in
        guard pass(&action) else {
          Tree.continueHeld(Action.self) { action in
            address.passesAdditions(&action, isTopmost: isTopmost, dispatch)
          }
          return false
        }
        return address.passesAdditions(&action, isTopmost: isTopmost, dispatch)
      }
    }
  }
}

/// Calls both of two functions, in order; nil if there is none.
@inlinable
func both(_ first: (@Sendable () -> Void)?, _ second: (@Sendable () -> Void)?) -> (@Sendable () -> Void)? {
  guard let first else { return second }
  guard let second else { return first }
  return {
    first()
    second()
  }
}
