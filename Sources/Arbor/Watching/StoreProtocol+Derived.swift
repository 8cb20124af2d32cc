extension StoreProtocol {
  /// A value made of this store's state, which follows it; nil once the owner is gone, or while the scope is nil.
  ///
  /// - Computed before this returns, behind everything that was accepted before, as ``state``.
  @inlinable
  public func derived<Value: Equatable & Sendable>(
    _ project: @escaping @Sendable (_ state: State) -> Value
  ) -> Derived<Value>? {
    let store = asStore
    guard let address = store.address else {
      return store.derived(at: nil, on: Tree(), .internalObserver, project)
    }
    var derived: Derived<Value>?
    let isOpen = address.wait(for: "derived") { node in
      // It is to be of one moment with the others of the tree.
      unsafeDowncast(node, to: Node.self).root._withUnsafeGuaranteedRef { $0.updateDerivedValuesIfNeeded() }
      derived = store.derived(at: node, on: address.tree, .derivedValue, project)
    }
    if !isOpen { store.reportUseAfterRelease() }
    return derived
  }

  /// A part of this store's state, which follows it; nil as above. A stored part is read without a call.
  @inlinable
  public func derived<Value: Equatable & Sendable>(_ path: any KeyPath<State, Value> & Sendable) -> Derived<Value>? {
    let part = PartReader(path)
    return derived { part($0) }
  }

  /// The output of a selector for this store's state, which follows it and remembers for itself; nil as above.
  public func derived<Output>(_ selector: StateSelector<State, Output>) -> Derived<Output>? {
    let cache = SelectorCache()
    return derived { state in selector.value(of: state, in: cache) }?.reading(cache)
  }
}

extension Store {
  /// A value that follows the states of this store; nil while there is none. On the queue, with the node.
  @inlinable
  func derived<Value: Equatable & Sendable>(
    at node: AnyObject?,
    on tree: Tree,
    _ role: Role,
    _ project: @escaping @Sendable (State) -> Value
  ) -> Derived<Value>? {
    guard let state = read(node) else { return nil }
    let value = project(state)
    let core = DerivedCore(value, on: tree)
    let last = LastValue<Value>()
    last.value = value
    let token = ReleaseCallback { [weak core] in core?.close() }
    let connection = connect(
      Observer { state in
        guard core.isOpen else { return .dead }
        let value = project(state)
        if value != last.value {
          last.value = value
          withExtendedLifetime(token) { core.receive(value) }
        }
        return .active
      },
      role
    )
    // Refused if the owner was let go of meanwhile.
    return connection.map { Derived(core, [$0]) }
  }
}
