internal import Dispatch

/// A description of everything a store does with actions: its interceptors, its reducer, and with `Arbor` its effects.
///
/// ```swift
/// let app = Feature<AppState, AppAction>.combined(
///   Feature(interceptors: [signedInOnly], reducer: appReducer),
///   Feature { state, action in state.actions += 1 }
/// )
/// let factory = StoreFactory(initialState: AppState(), feature: app)
/// ```
///
/// - A feature is a value and doesn't start anything. You can make any number of stores from it.
/// - With `Arbor`, you can scope a feature of a part, such as a screen, to that part of a larger state.
/// - A feature's dependencies are the parameters of the function that makes it.
/// - When you combine features, name the type: `Feature<AppState, AppAction>.combined(…)`. The compiler then checks
///   each feature separately, and reports an error at the feature that contains it.
public struct Feature<State: Sendable, Action: Sendable>: Sendable {
  /// Makes the functions with which the feature works in one place of a tree.
  @usableFromInline package let make: @Sendable (FeaturePlace<State, Action>) -> FeatureFunctions<State, Action>

  @inlinable
  package init(making make: @escaping @Sendable (FeaturePlace<State, Action>) -> FeatureFunctions<State, Action>) {
    self.make = make
  }

  /// Makes a feature without effects.
  ///
  /// - Parameters:
  ///   - interceptor: Sees each action before the reducers and can't change it; start side effects here. Its `dispatch`
  ///     sends an action, after everything already waiting, to the store where the intercepted action was dispatched.
  ///     If that store is a child with another action type, `dispatch` sends to the child's nearest ancestor with the
  ///     feature's action type. You can call `dispatch` from any thread and at any later time; it silently does nothing
  ///     once its store is gone.
  ///   - interceptors: Pass, replace, drop or (with `Arbor`) hold each action, in the order of the list, after
  ///     `interceptor`; see ``Interceptor``.
  ///   - reducer: Changes the state according to an action; see ``Reducer``. If it is nil, the feature doesn't change
  ///     the state.
  @inlinable
  public init(
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    interceptors: [Interceptor<State, Action>] = [],
    reducer: Reducer<State, Action>?
  ) {
    self.init { place in
      guard !place.isBeside else { return FeatureFunctions(reducer: reducer) }
      return FeatureFunctions(reducer: reducer, interceptors: Feature.interceptors(interceptor, interceptors))
    }
  }

  /// Combines features that work on the same state.
  ///
  /// - For each action, the interceptors of all features run in order, each with the action that the previous one
  ///   passed on. Then the reducers run in order. Then the effects are requested in order, each with the state after
  ///   all reducers.
  /// - Parameter features: The features, in order. Without any, the combination does nothing.
  @inlinable
  public static func combined(_ features: Feature...) -> Feature {
    combined(features)
  }

  /// Combines an array of features that work on the same state.
  ///
  /// - For each action, the interceptors of all features run in the order of the array, then the reducers, then the
  ///   effects, as in the variadic form.
  /// - Parameter features: The features. Without any, the combination does nothing.
  @inlinable
  public static func combined(_ features: [Feature]) -> Feature {
    Feature { place in FeatureFunctions(combining: features.map { feature in feature.make(place) }) }
  }

  /// Returns the interceptors, with the plain closure in front if there is one.
  @inlinable
  package static func interceptors(
    _ interceptor: (@Sendable (Action, @escaping @Sendable (Action) -> Void) -> Void)?,
    _ interceptors: [Interceptor<State, Action>]
  ) -> [Interceptor<State, Action>] {
    guard let interceptor else { return interceptors }
    let first = Interceptor<State, Action> { action, context in
      interceptor(action, context.dispatch)
      return .pass
    }
    return [first] + interceptors
  }
}

extension Feature {
  /// Makes the feature's reducer for states outside a tree, such as those of a recording. May be called from any
  /// thread.
  @usableFromInline
  package func makeReducerBesideTree() -> Reducer<State, Action> {
    // Nothing is ever sent to this address, because it has no node.
    make(FeaturePlace(at: NodeAddress(on: Tree(), quality: .unspecified), .beside)).reducer ?? { _, _ in }
  }
}
