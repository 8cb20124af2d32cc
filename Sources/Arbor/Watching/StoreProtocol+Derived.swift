extension StoreProtocol {
  /// Returns a value derived from this store's state; nil once the owner is gone or while the scope is nil.
  ///
  /// - Like ``state``, this waits for everything accepted before the call. The value is computed before this method
  ///   returns.
  /// - You can pass a key path literal: `derived(\.items)`.
  /// - Parameter project: Computes the value from a state. Called on the tree's queue.
  @inlinable
  public func derived<Value: Equatable & Sendable>(
    _ project: @escaping @Sendable (_ state: State) -> Value
  ) -> Derived<Value>? {
    derived(project, removeDuplicates: .equatable)
  }

  /// Returns a value derived from this store's state, with a comparison that decides when it has changed.
  ///
  /// - The result is nil once the owner is gone or while the scope is nil.
  /// - Use it for values that aren't `Equatable`, or if only a part of them matters.
  /// - You can pass a key path literal: `derived(\.items, removeDuplicates: .by(\.count))`.
  /// - Parameters:
  ///   - project: Computes the value from a state. Called on the tree's queue.
  ///   - duplicates: A comparison. If it finds a new value equal to the previous one, the previous one stays. With
  ///     ``Equating/never``, the value changes in each step.
  @inlinable
  public func derived<Value: Sendable>(
    _ project: @escaping @Sendable (_ state: State) -> Value,
    removeDuplicates duplicates: Equating<Value>
  ) -> Derived<Value>? {
    let store = asStore
    let isDuplicate = duplicates.makeDuplicateCheck()
    guard let address = store.address else {
      return store.derived(at: nil, on: store.sink.enclosingHost.tree, .internalObserver, project, isDuplicate)
    }
    var derived: Derived<Value>?
    store.withUpdatedDerivedValues(at: address) { node in
      derived = store.derived(at: node, on: address.tree, .linked(isEarly: true), project, isDuplicate)
    }
    return derived
  }

  /// Returns the output of a selector as a derived value; nil once the owner is gone or while the scope is nil.
  ///
  /// - The derived value has its own selector cache.
  /// - Parameter selector: The selector whose output is the value.
  public func derived<Output>(_ selector: StateSelector<State, Output>) -> Derived<Output>? {
    let cache = SelectorCache()
    return derived { state in selector.value(of: state, in: cache) }?.reading(cache)
  }
}

extension Store {
  /// Calls a body on the tree's queue with the node, when the tree's derived values are up to date, so that a new one
  /// belongs to the same step as the others. Doesn't call it if the owner is gone.
  @inlinable
  func withUpdatedDerivedValues(at address: NodeAddress, _ body: (_ node: AnyObject) -> Void) {
    let isOpen = address.wait(for: "derived") { node in
      address.tree.root._withUnsafeGuaranteedRef { $0.runEarlyRoundIfNeeded() }
      body(node)
    }
    if !isOpen { reportUseAfterRelease() }
  }

  /// Calls a body on the tree's queue, for derived values that share one subscription, with the state and the node's
  /// shared object of a type.
  ///
  /// - Doesn't call it once the owner is gone or while the scope is nil.
  /// - Parameter make: Makes the object, which lives as long as the node.
  package func withSharedObject<Object: Attachment>(
    _ make: () -> Object,
    _ body: (_ state: State, _ object: Object) -> Void
  ) {
    guard let address else { return }
    withUpdatedDerivedValues(at: address) { node in
      guard let state = read(node) else { return }
      body(state, Node.of(node).attachments.object(make).takeUnretainedValue())
    }
  }

  /// Connects an observer that updates derived values and already has the current state. Called on the tree's queue.
  ///
  /// - Returns: The connection; nil if the owner is gone.
  package func connectDerivedValues(_ observer: Observer<State>) -> Connection? {
    connect(observer, .linked(isEarly: true))
  }

  /// Returns a value derived from the states of this store; nil while there is no state. Called on the tree's queue,
  /// with the node.
  @inlinable
  func derived<Value: Sendable>(
    at node: AnyObject?,
    on tree: Tree,
    _ role: Role,
    _ project: @escaping @Sendable (State) -> Value,
    _ isDuplicate: DuplicateCheck<Value>
  ) -> Derived<Value>? {
    guard let state = read(node) else { return nil }
    let value = project(state)
    let core = DerivedCore(value, on: tree)
    isDuplicate.keep(value)
    // Only the observer below refers to it: when the store releases the observer, the value is closed.
    let token = ReleaseCallback { [weak core] in core?.close() }
    let connection = connect(
      Observer { state in
        guard core.isOpen else { return .dead }
        let value = project(state)
        if !isDuplicate(value) { withExtendedLifetime(token) { core.receive(value) } }
        return .active
      },
      role
    )
    // Nil if the owner was released meanwhile.
    return connection.map { Derived(core, [$0]) }
  }
}
