/// A store that owns its tree, so that it always has a state.
///
/// - Methods whose result is optional on a ``Store`` have a form here that always returns a value.
/// - If you write a conforming type, its `asStore` must be the root of a tree that it keeps alive: without a state, these
///   methods stop the program.
public protocol StoreOwner<State, Action>: StoreProtocol {}

extension StoreOwner {
  /// The root's state, like ``StoreProtocol/state``.
  @inlinable public var state: State { asStore.state! }

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

extension StoreOwner where Action == Mutation<State> {
  /// A property that reads a part of the root's state and commits it when it is set, like
  /// ``StoreProtocol/binding(to:named:fileID:line:)``.
  ///
  /// - Parameters:
  ///   - part: The key path of the part.
  ///   - name: The name of the mutations of writes; by default that of the function that makes the property.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  public func binding<Value: Equatable & Sendable>(
    to part: any WritableKeyPath<State, Value> & Sendable,
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> DerivedBinding<Value> {
    asStore.binding(to: part, named: name, fileID: fileID, line: line)!
  }

  /// Changes the root's state in a closure, like the same method of ``StoreProtocol``.
  ///
  /// - Parameters:
  ///   - duplicates: A comparison of the root's state before and after the closure; if it finds them equal, there is no
  ///     step. Without it, a closure that changes nothing is a step, too.
  ///   - name: The name of the mutation, for interceptors and monitors.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - body: Changes the state. It must neither read nor wait for a store of the same tree.
  /// - Throws: The error of the closure. Then the state is as before.
  /// - Returns: The result of the closure.
  @inlinable
  @discardableResult
  public func commit<Result, Failure: Error>(
    ifChanged duplicates: Equating<State>? = nil,
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ state: inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try asStore.commit(ifChanged: duplicates, named: name, fileID: fileID, line: line, body)!
  }
}
