extension StateFeed {
  /// A value that follows the states, given the state for its first value.
  func derived<Value: Sendable>(
    from state: State,
    areEqual: @escaping @Sendable (Value, Value) -> Bool,
    _ project: @escaping @Sendable (State) -> Value
  ) -> Derived<Value> {
    let core = DerivedCore(project(state), on: mailbox, areEqual: areEqual)
    let token = SourceToken { [weak core] in core?.close() }
    let connection = subscribe(
      Observer { state in
        withExtendedLifetime(token) { core.receive(project(state)) }
        return .active
      }
    )
    return Derived(core, [connection])
  }
}

extension Store {
  /// A value made of this store's state, which follows it; nil once the owner is gone, or while the scope is nil.
  ///
  /// - Computed before this returns, behind everything that was accepted before, as ``state``.
  public func derived<Value: Equatable & Sendable>(
    _ project: @escaping @Sendable (_ state: State) -> Value
  ) -> Derived<Value>? {
    state.map { feed.derived(from: $0, areEqual: { $0 == $1 }, project) }
  }
}

extension StoreFactory {
  /// A value made of the root's state, as ``Store/derived(_:)``.
  public func derived<Value: Equatable & Sendable>(
    _ project: @escaping @Sendable (_ state: State) -> Value
  ) -> Derived<Value> {
    feed.derived(from: state, areEqual: { $0 == $1 }, project)
  }
}

extension StoreObject {
  /// A value made of the composed state, as ``Store/derived(_:)``.
  ///
  /// - While the child hangs below an optional scope that is nil there is no state to make it of: this then stops the
  ///   program and says so. Make it of ``store()``, which answers nil.
  public func derived<Value: Equatable & Sendable>(
    _ project: @escaping @Sendable (_ state: State) -> Value
  ) -> Derived<Value> {
    guard let derived = base.derived(project) else { Misuse.derivingFromNothing.stop() }
    return derived
  }
}
