internal import Dispatch

/// Everything that a store does with actions, as one value: its interceptors, its reducer, and with `Arbor` its effects.
///
/// ```swift
/// let app = Feature<AppState, AppAction>.combined(
///   Feature(interceptors: [signedInOnly], reducer: appReducer),
///   Feature { state, action in state.actions += 1 }
/// )
/// let factory = StoreFactory(initialState: AppState(), feature: app)
/// ```
///
/// - It is a description, and starts nothing: stores are made from it. Any number of stores may use the same feature.
/// - With `Arbor` a feature of a part, such as a screen, can be scoped to that part of a larger state.
/// - A feature's dependencies are the parameters of the function that makes it.
/// - Name the type of what is combined, `Feature<AppState, AppAction>.combined(…)`: the compiler then checks each
///   feature by itself, and an error is reported at the feature that has it.
public struct Feature<State: Sendable, Action: Sendable>: Sendable {
  /// Makes the functions by which the feature works in one place of a tree.
  @usableFromInline package let make: @Sendable (FeaturePlace<State, Action>) -> FeatureFunctions<State, Action>

  @inlinable
  package init(making make: @escaping @Sendable (FeaturePlace<State, Action>) -> FeatureFunctions<State, Action>) {
    self.make = make
  }

  /// Makes a feature without effects.
  ///
  /// - Parameters:
  ///   - interceptor: Sees each action before the reducers and cannot change it; side effects may start here. Its
  ///     `dispatch` sends an action, after everything already waiting, to the store to which the intercepted action was
  ///     dispatched. For an action that comes from a child with another action type, `dispatch` sends to the child's
  ///     nearest ancestor with the feature's action type. `dispatch` may be called from any thread, at any later time,
  ///     and silently does nothing once its store is gone.
  ///   - interceptors: Pass, replace or drop each action, in the order of the list, after `interceptor`; see
  ///     ``Interceptor``.
  ///   - reducer: Changes the state according to an action; see ``Reducer``. If it is nil, the feature changes nothing.
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

  /// Combines features of one state: for each action the interceptors of all in order, each with what the one before
  /// has passed on; then the reducers in order; then the effects in order, each asked with the state after all
  /// reducers.
  ///
  /// - Parameter features: The features, in order. Without any, the combination changes nothing.
  @inlinable
  public static func combined(_ features: Feature...) -> Feature {
    combined(features)
  }

  /// Combines features of one state, in the order of the array.
  ///
  /// - Parameter features: The features. Without any, the combination changes nothing.
  @inlinable
  public static func combined(_ features: [Feature]) -> Feature {
    Feature { place in FeatureFunctions(combining: features.map { feature in feature.make(place) }) }
  }

  /// The interceptors with the plain closure in front of them, if there is one.
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
  /// Makes the feature's reducer for states that are in no tree, as those of a recording. It may be called from any
  /// thread.
  @usableFromInline
  package func makeReducerBesideTree() -> Reducer<State, Action> {
    // Nothing is ever sent to the address, where no node is.
    make(FeaturePlace(at: NodeAddress(on: Tree(), quality: .unspecified), .beside)).reducer ?? { _, _ in }
  }
}
