public import Arbor

extension TestStore {
  /// Returns the store under test, for code that takes a store.
  ///
  /// - Actions that are dispatched to it are held until the test receives them. For waiting calls, use
  ///   ``during(_:fileID:filePath:line:column:isolation:expect:)``.
  public func store() -> Store<State, Action> { base }

  /// Returns a test store of a part of this store's state, with the same actions.
  ///
  /// - It asserts only the part, and ignores other changes of an action. To assert the whole state, send and receive on
  ///   this store.
  /// - Parameter project: Returns the part of a state.
  public func scope<Part: Equatable & Sendable>(
    to project: @escaping @Sendable (_ state: State) -> Part
  ) -> TestStore<Part, Action> {
    TestStore<Part, Action>(
      base.scope(to: project),
      owner: self,
      in: tree,
      view: view.map(project),
      extract: extract
    )
  }

  /// Returns a test store of a part of this store's state, with its own type of actions.
  ///
  /// - It asserts only the part, and ignores other changes of an action. To assert the whole state, send and receive on
  ///   this store.
  /// - Parameters:
  ///   - project: Returns the part of a state.
  ///   - embed: Makes an action of this store from an action of the part, usually an enum case.
  ///   - extract: Returns the part's action in an action of this store; nil if there is none. In debug builds, `embed`
  ///     and `extract` must match: otherwise the program stops at the first action.
  public func scope<Part: Equatable & Sendable, PartAction: Sendable>(
    to project: @escaping @Sendable (_ state: State) -> Part,
    action embed: @escaping @Sendable (_ action: PartAction) -> Action,
    extract: @escaping @Sendable (_ action: Action) -> PartAction?
  ) -> TestStore<Part, PartAction> {
    #if DEBUG
      let check = PairCheck()
      let embed = { @Sendable (action: PartAction) in
        let embedded = embed(action)
        check.check(action) { extract(embedded) }
        return embedded
      }
    #endif
    return TestStore<Part, PartAction>(
      base.scope(to: project, action: embed),
      owner: self,
      in: tree,
      view: view.map(project),
      extract: { [outer = self.extract] action in outer(action).flatMap(extract) }
    )
  }

  /// Returns a test store of a child with a feature, whose state contains this store's state and the child's own:
  /// `$0.parent` and `$0.local`.
  ///
  /// - The child lives as long as the returned test store and its scopes and children.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - feature: The feature of the child. Its state is the child's own state, and its actions are this store's
  ///     actions.
  public func childStore<Local: Equatable & Sendable>(
    initialState: Local,
    feature: Feature<Local, Action>
  ) -> TestStore<ChildState<State, Local>, Action> {
    childStore(
      initialState: initialState,
      stateMapping: { ChildState(parent: $0, local: $1) },
      feature: feature
    )
  }

  /// Returns a test store of a child with a feature, whose state is composed of this store's state and its own.
  ///
  /// - It asserts the composed state, and no other part of this store's state.
  /// - The child lives as long as the returned test store and its scopes and children.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - stateMapping: Composes this store's state and the child's own into the asserted state.
  ///   - feature: The feature of the child. Its state is the child's own state, and its actions are this store's
  ///     actions.
  public func childStore<Local: Sendable, Composed: Equatable & Sendable>(
    initialState: Local,
    stateMapping: @escaping @Sendable (_ state: State, _ local: Local) -> Composed,
    feature: Feature<Local, Action>
  ) -> TestStore<Composed, Action> {
    let child = base.childStore(
      initialState: initialState,
      stateMapping: stateMapping,
      feature: feature
    )
    let store = child.store()
    tree.settle()
    return TestStore<Composed, Action>(
      store,
      owner: child,
      in: tree,
      view: view.composed(with: StateView(ownOf: store.monitored), stateMapping)
    )
  }

  /// Returns a test store of a child of a commit store. Commits also change the child's own state.
  ///
  /// - It asserts only the child's own state.
  ///
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - feature: Everything that the child does apart from its commits. Its reducer is the middleware. By default, it
  ///     does nothing.
  public func childCommitStore<Own: Sendable, Local: Equatable & Sendable>(
    initialState: Local,
    feature: Feature<Local, Mutation<Local>> = Feature()
  ) -> TestStore<Local, Mutation<Local>> where Action == Mutation<Own> {
    let child = base.childCommitStore(initialState: initialState, feature: feature)
    let store = child.store()
    tree.settle()
    return TestStore<Local, Mutation<Local>>(store, owner: child, in: tree, view: StateView(ownOf: store.monitored))
  }
}

/// The state of a child store in a test: the state of the store above it, and its own.
public struct ChildState<Parent: Sendable, Local: Sendable>: Sendable {
  /// The state of the store above.
  public var parent: Parent

  /// The child's own state.
  public var local: Local

  /// Makes a child's state from the parent's and its own.
  ///
  /// - Parameters:
  ///   - parent: The state of the store above.
  ///   - local: The child's own state.
  public init(parent: Parent, local: Local) {
    self.parent = parent
    self.local = local
  }
}

extension ChildState: Equatable where Parent: Equatable, Local: Equatable {}
extension ChildState: Hashable where Parent: Hashable, Local: Hashable {}
