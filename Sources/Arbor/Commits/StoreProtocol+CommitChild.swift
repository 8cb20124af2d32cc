public import Dispatch

extension StoreProtocol {
  /// Makes a child of a commit store, whose own state is changed by commits, too.
  ///
  /// ```swift
  /// let list = settings.childCommitStore(initialState: Selection())
  /// list.commit { $0.index += 1 }
  /// ```
  ///
  /// - Its commits change its own state, and those of this store this store's; when either returns, every store of the
  ///   tree shows it.
  /// - A commit goes up the tree as any action of a child: after the child's own interceptors, reducer and effects, those
  ///   of this store's node and of each ancestor are asked, with a mutation that has the same name and position, takes
  ///   place, and changes nothing. They may drop it, if no caller of `commit` waits, or replace it: that adds to the
  ///   same step. If the replacement fails, it is no step, and the child's own change is undone: as if it was dropped.
  ///   Middleware that is scoped to a part sees it where this store is a scope of that part, or further down.
  /// - A commit that throws is no step, and reaches no ancestor's reducer.
  /// - A batch is of one store: commits of the child and of this store are no common step.
  /// - While this store's scope is nil, the child's observers are not called and its ``state`` is nil; its own state
  ///   lives on, and its commits change it.
  /// - The child lives as long as the returned object, which keeps all ancestors alive. If the owner of this store is
  ///   gone, or if this store is closure-backed, it is closed from the start.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - feature: The child's middleware, interceptors and effects. The middleware is its reducer, and is called after each
  ///     commit of the child that took place.
  ///   - qos: The minimum quality of service for actions dispatched to the child; the factory's applies where that is
  ///     higher.
  @inlinable
  public func childCommitStore<Own: Sendable, Local: Sendable>(
    initialState: Local,
    feature: Feature<Local, Mutation<Local>> = Feature(),
    qos: DispatchQoS = .unspecified
  ) -> StoreObject<Local, Mutation<Local>> where Action == Mutation<Own> {
    childCommitStore(initialState: initialState, stateMapping: { _, local in local }, feature: feature, qos: qos)
  }

  /// Makes a child of a commit store that shows this store's state and its own, composed into one.
  ///
  /// - Its commits are of its own state. Scopes for commits, `scope(at:)`, are there only where it shows just that.
  /// - Otherwise like ``childCommitStore(initialState:feature:qos:)``.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - stateMapping: Composes this store's state and the child's own into the state that the child shows.
  ///   - feature: The child's middleware, interceptors and effects; by default none. The middleware is its reducer.
  ///   - qos: The quality of service of the child's work; by default that of the tree.
  @inlinable
  public func childCommitStore<Own: Sendable, Local: Sendable, Composed: Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    feature: Feature<Local, Mutation<Local>> = Feature(),
    qos: DispatchQoS = .unspecified
  ) -> StoreObject<Composed, Mutation<Local>> where Action == Mutation<Own> {
    // This object may be the owner, and is kept until the child is made.
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
