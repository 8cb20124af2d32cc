/// What may be nil on a ``Store``, because its owner may be gone, is there on a factory, which is the owner.
extension StoreFactory {
  /// The root's state, as ``StoreProtocol/state``.
  public var state: State { root.state! }

  /// The output of a selector for the root's state, as ``StoreProtocol/select(_:)``.
  @inlinable
  public func select<Output>(_ selector: StateSelector<State, Output>) -> Output {
    root.select(selector)!
  }

  /// A value made of the root's state, as ``StoreProtocol/derived(_:)``.
  @inlinable
  public func derived<Value: Equatable & Sendable>(
    _ project: @escaping @Sendable (_ state: State) -> Value
  ) -> Derived<Value> {
    root.derived(project)!
  }

  /// A part of the root's state, as the same method of ``StoreProtocol``.
  @inlinable
  public func derived<Value: Equatable & Sendable>(_ path: any KeyPath<State, Value> & Sendable) -> Derived<Value> {
    root.derived(path)!
  }

  /// The output of a selector for the root's state, as the same method of ``StoreProtocol``.
  public func derived<Output>(_ selector: StateSelector<State, Output>) -> Derived<Output> {
    root.derived(selector)!
  }

  /// A property that reads a part of the root's state, as ``StoreProtocol/derived(get:set:)``.
  public func derived<Value: Equatable & Sendable>(
    get: @escaping @Sendable (_ state: State) -> Value,
    set: @escaping @Sendable (_ value: Value) -> Action
  ) -> DerivedBinding<Value> {
    root.derived(get: get, set: set)!
  }

  /// The root's state for the main actor, as ``StoreProtocol/observable()``.
  @MainActor
  public func observable() -> ObservableStore<State, Action> {
    root.observable()!
  }
}

extension StoreFactory where Action == Mutation<State> {
  /// Changes the root's state in a closure, as ``StoreProtocol/commit(named:fileID:line:_:)``.
  ///
  /// - Returns: What the closure returns.
  @inlinable
  @discardableResult
  public func commit<Result, Failure: Error>(
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ state: inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try root.commit(named: name, fileID: fileID, line: line, body)!
  }
}
