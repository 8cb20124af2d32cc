public import Arbor

extension TestStore {
  /// The store, for code that takes one.
  ///
  /// - Actions that are dispatched to it are held until the test receives them. Calls that wait are no way around that: see
  ///   ``during(_:fileID:filePath:line:column:isolation:expect:)``.
  public func store() -> Store<State, Action> { base }

  /// A test store of a part of this one's state, with the same actions.
  ///
  /// - It asserts the part alone: what an action changes elsewhere is not looked at. Send and receive on the whole to assert all.
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

  /// A test store of a part of this one's state, with its own type of actions.
  ///
  /// - It asserts the part alone, as above.
  /// - Parameters:
  ///   - project: The part.
  ///   - embed: Makes an action of this store of the part's, as a rule an enum's case.
  ///   - extract: The part's action in an action of this store; nil if there is none. In debug builds a pair of functions
  ///     that do not belong together stops the program with the first action.
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

  /// A test store of a child that does what a feature says, whose state is this one's and its own: `$0.local`, `$0.parent`.
  ///
  /// - The child lives as long as the test store that is returned, and its scopes and children.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - feature: Its state is the child's own, its actions are those of this store.
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

  /// A test store of a child that does what a feature says, and whose state is composed of this one's and its own.
  ///
  /// - It asserts what is composed, and no other part of this one's state.
  /// - The child lives as long as the test store that is returned, and its scopes and children.
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - stateMapping: Composes this store's state and the child's own into the state that is asserted.
  ///   - feature: Its state is the child's own, its actions are those of this store.
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

  /// A test store of a child of a commit store, whose own state is changed by commits, too; it asserts that state alone.
  ///
  /// - Parameters:
  ///   - initialState: The child's own state at the start.
  ///   - feature: All that the child does beside its commits; its reducer is the middleware. By default nothing.
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

/// The view of a child store: the state of the store above it, and its own.
public struct ChildState<Parent: Sendable, Local: Sendable>: Sendable {
  /// The state of the store above.
  public var parent: Parent

  /// The child's own state.
  public var local: Local

  /// Makes one of both.
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
