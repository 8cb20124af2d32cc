extension StoreOwner where Action == Mutation<State> {
  /// Returns a property that reads a part of the root's state, and commits a new value when you set it.
  ///
  /// - It works like ``StoreProtocol/binding(to:named:fileID:line:)``.
  /// - Parameters:
  ///   - part: The key path of the part.
  ///   - name: The name of the mutations; by default the name of the enclosing function.
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

  /// Changes the root's state in a closure, and returns the closure's result, never nil.
  ///
  /// - Otherwise it works like the same method of ``StoreProtocol``.
  /// - Parameters:
  ///   - duplicates: A comparison of the root's state before and after the closure. If it finds them equal, there is no
  ///     step. Without a comparison, a closure that changes nothing is a step, too.
  ///   - name: The name of the mutation, for interceptors and monitors.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - body: Changes the state. It must neither read nor wait for a store of the same tree.
  /// - Throws: The error of the closure. The state is then unchanged.
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
