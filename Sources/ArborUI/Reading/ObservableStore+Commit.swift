public import Arbor

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ObservableStore where Action == Mutation<State> {
  /// A part of the state; notifies when its value changes. Setting it commits the part and returns after that step.
  ///
  /// ```swift
  /// store.name = "Ada"
  /// TextField("Name", text: $store.name)  // @Bindable var store: ObservableStore<Profile, Mutation<Profile>>
  /// ```
  ///
  /// - A commit that does not change the part to the value, because a reducer or interceptor refuses it, notifies the
  ///   part's readers anyway.
  /// - Setting does nothing while the scope is nil or once the owner is gone. In a callback of a tree, it does not
  ///   wait.
  /// - Parameter keyPath: The key path of the part.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: any WritableKeyPath<State, Value> & Sendable
  ) -> Value {
    get { self[keyPath] }
    set { self[keyPath] = newValue }
  }

  /// A part of the state, at any depth; notifies when its value changes. Setting it commits only that part.
  ///
  /// ```swift
  /// store[\.address.city] = "Oslo"
  /// TextField("City", text: $store[\.address.city])
  /// ```
  ///
  /// - `store.address.city = "Oslo"` reads the whole address, changes it, and commits all of it. Other commits to the
  ///   address in the meantime would be lost.
  /// - Parameter keyPath: The key path of the part.
  public subscript<Value: Equatable & Sendable>(
    keyPath: any WritableKeyPath<State, Value> & Sendable
  ) -> Value {
    get { self[keyPath as KeyPath<State, Value>] }
    set { write(newValue, to: keyPath, .setting(keyPath, to: newValue)) }
  }

  /// Changes the state in a closure, and returns after that step, when this object is up to date.
  ///
  /// - It works like the method of the same name in ``/Arbor/StoreProtocol``.
  ///
  /// - Parameters:
  ///   - name: The name of the mutation, for interceptors and monitors.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - body: Changes the state. It must neither read nor wait for a store of the same tree.
  /// - Throws: The error of the closure. Then the state is unchanged.
  @discardableResult
  public func commit<Result, Failure: Error>(
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: (_ state: inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try store.commit(named: name, fileID: fileID, line: line, body)
  }
}

extension Mutation {
  /// Returns a mutation that sets a part that a screen has changed.
  static func setting<Value: Sendable>(
    _ part: any WritableKeyPath<State, Value> & Sendable,
    to value: Value,
    named name: StaticString = "binding"
  ) -> Mutation {
    Mutation(named: name) { state in state[keyPath: part] = value }
  }
}
