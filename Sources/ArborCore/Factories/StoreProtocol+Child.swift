public import Dispatch

extension StoreProtocol {
  /// Makes a child store with its own state and reducer below this store.
  ///
  /// - Its actions go up the tree: they pass the child's own interceptors, then those of this store's node and of each
  ///   ancestor; then the reducers run in the same order. The child gets no other actions than its own and those of its
  ///   own children.
  /// - The child lives as long as the returned object, which keeps all ancestors alive.
  /// - If the owner of this store is gone, or if this store is closure-backed, the child is closed from the start: its
  ///   ``state`` is nil, and calls do nothing.
  /// - Each level of nested children uses stack in every step: thousands of levels are fine, tens of thousands are not.
  /// - While this store's scope is nil, the child's observers are not called and its ``state`` is nil; its own state
  ///   lives on.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - stateMapping: Composes this store's state and the child's own into the state that the child shows. Called on
  ///     the tree's queue: at most once per step for all observers, not at all while there are none, and once more for
  ///     each subscription and each read of ``state``.
  ///   - interceptor: Sees each action of the child before the child's reducer; see
  ///     ``StoreFactory/init(initialState:interceptor:qos:settings:reducer:)``.
  ///   - qos: The minimum quality of service for actions dispatched to the child; the factory's applies where that is
  ///     higher.
  ///   - reducer: Changes the child's own state.
  @inlinable
  public func childStore<Local: Sendable, Composed: Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    qos: DispatchQoS = .unspecified,
    reducer: @escaping Reducer<Local, Action>
  ) -> StoreObject<Composed, Action> {
    childStore(
      initialState: initialState,
      stateMapping: stateMapping,
      feature: Feature(interceptor: interceptor, reducer: reducer),
      qos: qos
    )
  }

  /// Makes a child store below this store that does everything a feature describes.
  ///
  /// - Otherwise like
  ///   ``childStore(initialState:stateMapping:interceptor:qos:reducer:)``.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - stateMapping: Composes this store's state and the child's own into the state that the child shows.
  ///   - feature: Its state is the child's own, its actions are those of this store. Its interceptors and effects are
  ///     called with the child's own state; the ancestors' follow.
  ///   - qos: The quality of service of the child's work; by default that of the tree.
  @inlinable
  public func childStore<Local: Sendable, Composed: Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    feature: Feature<Local, Action>,
    qos: DispatchQoS = .unspecified
  ) -> StoreObject<Composed, Action> {
    // This object may be the owner, and is kept until the child is made.
    withExtendedLifetime(self) {
      asStore.child(
        initialState: initialState,
        stateMapping: stateMapping,
        feature: feature,
        qos: qos,
        way: { way in way },
        reduce: { reducer, box, _ in
          // Not by `map`: a closure that goes through a generic function is called through thunks.
          guard let reducer else { return nil }
          return box.reducing(by: reducer)
        }
      )
    }
  }

  /// Makes a child store whose state is the pair of this store's state and the child's own.
  ///
  /// - Otherwise like
  ///   ``childStore(initialState:stateMapping:interceptor:qos:reducer:)``.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - interceptor: Sees each action of the child before the child's reducer, and cannot change it.
  ///   - qos: The minimum quality of service for the child's actions; the factory's applies where that is higher.
  ///   - reducer: Changes the child's own state.
  @inlinable
  public func childStore<Local: Sendable>(
    initialState: Local,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    qos: DispatchQoS = .unspecified,
    reducer: @escaping Reducer<Local, Action>
  ) -> StoreObject<(State, Local), Action> {
    childStore(
      initialState: initialState,
      stateMapping: { ($0, $1) },
      interceptor: interceptor,
      qos: qos,
      reducer: reducer
    )
  }

  /// Makes a child store that does everything a feature describes, and whose state is the pair of this store's state and the
  /// child's own.
  ///
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - feature: The child's reducer, interceptors and effects. Its state is the child's own, its actions are this store's.
  ///   - qos: The minimum quality of service for the child's actions; the factory's applies where that is higher.
  @inlinable
  public func childStore<Local: Sendable>(
    initialState: Local,
    feature: Feature<Local, Action>,
    qos: DispatchQoS = .unspecified
  ) -> StoreObject<(State, Local), Action> {
    childStore(initialState: initialState, stateMapping: { ($0, $1) }, feature: feature, qos: qos)
  }
}
