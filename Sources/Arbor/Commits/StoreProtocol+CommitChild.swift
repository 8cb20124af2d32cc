public import Dispatch

extension StoreProtocol {
  /// Makes a child of a commit store whose own state also changes with commits.
  ///
  /// ```swift
  /// let list = settings.childCommitStore(initialState: Selection())
  /// list.commit { $0.index += 1 }
  /// ```
  ///
  /// - Its commits change its own state, and commits of this store change this store's state. When either returns,
  ///   every store of the tree shows the change.
  /// - A commit goes up the tree like any action of a child. The child's own interceptors, reducer and effects are
  ///   called first, then the ones of this store's node and of each ancestor. They receive a mutation that has the same
  ///   name and position, succeeds, and changes nothing.
  /// - Ancestors may drop that mutation if no caller of `commit` waits. They may also replace it: the replacement joins
  ///   the same step. If the replacement fails, there is no step, and the child's own change is undone, as if the
  ///   mutation had been dropped.
  /// - Middleware that is scoped to a part sees the mutation if this store is a scope of that part, or further down.
  /// - A commit that throws isn't a step, and doesn't reach an ancestor's reducer.
  /// - A batch belongs to one store: commits of the child and of this store can't share a step.
  /// - While this store's scope is nil, the child's observers aren't called and its ``state`` is nil; its own state
  ///   still exists, and its commits change it.
  /// - The child lives as long as the returned object, which keeps all ancestors alive. If the owner of this store is
  ///   gone, or if this store is closure-backed, it is closed from the start.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - feature: The child's middleware, interceptors and effects. The middleware is its reducer, and is called after
  ///     each commit of the child that succeeds.
  ///   - qos: The minimum quality of service for actions dispatched to the child; if the factory's is higher, it
  ///     applies instead.
  @inlinable
  public func childCommitStore<Own: Sendable, Local: Sendable>(
    initialState: Local,
    feature: Feature<Local, Mutation<Local>> = Feature(),
    qos: DispatchQoS = .unspecified
  ) -> StoreObject<Local, Mutation<Local>> where Action == Mutation<Own> {
    childCommitStore(initialState: initialState, stateMapping: { _, local in local }, feature: feature, qos: qos)
  }

  /// Makes a child of a commit store that shows a composition of this store's state and its own.
  ///
  /// - Its commits change its own state. `scope(at:)`, which makes scopes for commits, is only available if the child
  ///   shows exactly its own state.
  /// - Otherwise it works like ``childCommitStore(initialState:feature:qos:)``.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - stateMapping: Composes this store's state and the child's own into the state that the child shows.
  ///   - feature: The child's middleware, interceptors and effects; by default none. The middleware is its reducer.
  ///   - qos: The quality of service of the child's work; by default, the same as the tree's.
  @inlinable
  public func childCommitStore<Own: Sendable, Local: Sendable, Composed: Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    feature: Feature<Local, Mutation<Local>> = Feature(),
    qos: DispatchQoS = .unspecified
  ) -> StoreObject<Composed, Mutation<Local>> where Action == Mutation<Own> {
    // This object may be the owner: keep it until the child is made.
    withExtendedLifetime(self) {
      asStore.child(
        initialState: initialState,
        stateMapping: stateMapping,
        feature: feature.applyingCommits,
        qos: qos,
        way: { way in way.embedded { $0.changingNothing(of: Own.self) } },
        reduce: { middleware, box, tree in
          { mutation in
            guard mutation.change(box, followedBy: middleware, on: tree) else { return false }
            if mutation.isAwaited { tree.step.hasAwaitedChange = true }
            return true
          }
        },
        canFail: { mutation in mutation.canFail }
      )
    }
  }
}
