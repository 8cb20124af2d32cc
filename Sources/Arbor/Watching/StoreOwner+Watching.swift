extension StoreOwner {
  /// The output of a selector for the root's state, like ``StoreProtocol/select(_:)``.
  ///
  /// - Parameter selector: The selector, whose output the root caches.
  @inlinable
  public func select<Output>(_ selector: StateSelector<State, Output>) -> Output {
    asStore.select(selector)!
  }

  /// A value derived from the root's state by a function, like the same method of ``StoreProtocol``.
  ///
  /// - A key path literal converts: `derived(\.items)`.
  /// - Parameter project: Computes the value from the root's state, on the tree's queue.
  @inlinable
  public func derived<Value: Equatable & Sendable>(
    _ project: @escaping @Sendable (_ state: State) -> Value
  ) -> Derived<Value> {
    asStore.derived(project)!
  }

  /// A value derived from the root's state by a function, with a comparison, like the same method of ``StoreProtocol``.
  ///
  /// - Parameters:
  ///   - project: Computes the value from the root's state, on the tree's queue.
  ///   - duplicates: A comparison; a value that is equal, by this comparison, to the one before does not replace it.
  @inlinable
  public func derived<Value: Sendable>(
    _ project: @escaping @Sendable (_ state: State) -> Value,
    removeDuplicates duplicates: Equating<Value>
  ) -> Derived<Value> {
    asStore.derived(project, removeDuplicates: duplicates)!
  }

  /// A value derived from the root's state by a selector, like the same method of ``StoreProtocol``.
  ///
  /// - Parameter selector: The selector, of which the derived value has a cache of its own.
  public func derived<Output>(_ selector: StateSelector<State, Output>) -> Derived<Output> {
    asStore.derived(selector)!
  }

  /// A property that reads a part of the root's state and dispatches an action when it is set, like
  /// ``StoreProtocol/binding(get:set:)``.
  ///
  /// - Parameters:
  ///   - get: Reads the part from the root's state.
  ///   - set: Returns the action that sets a value.
  public func binding<Value: Equatable & Sendable>(
    get: @escaping @Sendable (_ state: State) -> Value,
    set: @escaping @Sendable (_ value: Value) -> Action
  ) -> DerivedBinding<Value> {
    asStore.binding(get: get, set: set)!
  }
}
