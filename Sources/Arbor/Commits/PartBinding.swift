extension StoreProtocol where Action == Mutation<State> {
  /// Returns a property that reads a part of the state, and commits a new value when you set it.
  ///
  /// ```swift
  /// @DerivedBinding var name: String
  /// _name = settings.binding(to: \.name)
  /// ```
  ///
  /// - The result is nil once the owner is gone or while the scope is nil.
  /// - Parameters:
  ///   - part: The key path of the part.
  ///   - name: The name of the mutations; by default, the name of the function that makes the property.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  public func binding<Value: Equatable & Sendable>(
    to part: any WritableKeyPath<State, Value> & Sendable,
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> DerivedBinding<Value>? {
    let read = StatePart(part)
    return binding { state in
      read(state)
    } set: { value in
      Mutation(named: name, fileID: fileID, line: line) { state in state[keyPath: part] = value }
    }
  }
}

extension StateSource where State: Equatable {
  /// Assigns each value to a part of a store's state, as long as you keep the returned subscription.
  ///
  /// ```swift
  /// let assigning = count.assign(to: settings.scope(at: \.count))
  /// ```
  ///
  /// - The first value is assigned at once, and then each value that differs from the previous one. If anything else
  ///   changes the part between two assignments, that change stays.
  /// - Each assignment is a separate mutation. It is accepted when the value is delivered and reduced when its turn
  ///   comes, even in the tree of the value itself. A newer value revokes an assignment that is still waiting.
  /// - You can assign two parts to each other: if both change at once, one of the two values wins.
  /// - A value that is computed from the part itself must stop changing. A value that is never equal to itself, such as
  ///   a NaN, is assigned endlessly, because each assignment makes a step.
  /// - It doesn't keep the part or its store alive. While the part is nil, or once its owner is gone, an assignment
  ///   does nothing.
  /// - Parameters:
  ///   - part: The store of the part: a scope of a commit store, or the store itself for its whole state.
  ///   - name: The name of the mutations.
  ///   - fileID: The file of the call, for monitors.
  ///   - line: The line of the call, for monitors.
  public func assign(
    to part: some StoreProtocol<State, Mutation<State>>,
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> StoreSubscription {
    let part = part.asStore
    let waiting = Protected(ActionSender?.none)
    return observe(removeDuplicates: .equatable) { (state: State) in
      // Otherwise, two parts that are assigned to each other could exchange their values forever.
      let sender = ActionSender()
      let outdated = waiting.withLock { waiting in
        defer { waiting = sender }
        return waiting
      }
      outdated?.revoke()
      let mutation = Mutation<State>(named: name, fileID: fileID, line: line) { $0 = state }
      if !part.sink.submit(.revocable(mutation, by: sender)) { part.reportUseAfterRelease() }
    }
  }
}
