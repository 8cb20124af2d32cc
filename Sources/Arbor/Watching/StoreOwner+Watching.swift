extension StoreOwner {
  /// Returns the output of a selector for the root's state, like ``StoreProtocol/select(_:)``.
  ///
  /// - Parameter selector: The selector. The root caches its output.
  @inlinable
  public func select<Output>(_ selector: StateSelector<State, Output>) -> Output {
    asStore.select(selector)!
  }

  /// Returns a value derived from the root's state by a function, never nil.
  ///
  /// - You can pass a key path literal: `derived(\.items)`.
  /// - Parameter project: Computes the value from the root's state, on the tree's queue.
  @inlinable
  public func derived<Value: Equatable & Sendable>(
    _ project: @escaping @Sendable (_ state: State) -> Value
  ) -> Derived<Value> {
    asStore.derived(project)!
  }

  /// Returns a value derived from the root's state by a function, with a comparison that decides when it has changed.
  ///
  /// - Parameters:
  ///   - project: Computes the value from the root's state, on the tree's queue.
  ///   - duplicates: A comparison. If it finds a new value equal to the previous one, the previous one stays.
  @inlinable
  public func derived<Value: Sendable>(
    _ project: @escaping @Sendable (_ state: State) -> Value,
    removeDuplicates duplicates: Equating<Value>
  ) -> Derived<Value> {
    asStore.derived(project, removeDuplicates: duplicates)!
  }

  /// Returns a value derived from the root's state by a selector, never nil.
  ///
  /// - Parameter selector: The selector. The derived value has its own cache for it.
  public func derived<Output>(_ selector: StateSelector<State, Output>) -> Derived<Output> {
    asStore.derived(selector)!
  }

  /// Returns a property that reads a part of the root's state, and dispatches an action when you set it.
  ///
  /// - It works like ``StoreProtocol/binding(get:set:)``.
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
