extension StoreProtocol where Action == Mutation<State> {
  /// A property that reads a part of the state and commits it when it is written; nil once the owner is gone or while
  /// the scope is nil.
  ///
  /// ```swift
  /// @DerivedBinding var name: String
  /// _name = settings.binding(to: \.name)
  /// ```
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
  /// Assigns each value to a part of a store's state, as long as the returned subscription is kept.
  ///
  /// ```swift
  /// let assigning = count.assign(to: settings.scope(at: \.count))
  /// ```
  ///
  /// - The first value is assigned at once, and then each one that differs from the one before. What else changes the
  ///   part in between stays.
  /// - Each assignment is a mutation of its own, which is accepted where the value is delivered and reduced in its turn,
  ///   also in the tree of the value itself. A newer value revokes an assignment that still waits.
  /// - Two parts can be assigned to each other: if both change at once, one of the two values wins.
  /// - A value that is computed from the part itself must come to rest: one that is never equal to itself, such as a NaN,
  ///   is assigned in each step that this makes, without an end.
  /// - It keeps neither the part nor its store alive. While the part is nil, or once its owner is gone, an assignment
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
      // Otherwise two parts that are assigned to each other could exchange their values forever.
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
