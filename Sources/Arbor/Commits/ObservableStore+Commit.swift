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
  ///   part's readers all the same.
  /// - Does nothing while the scope is nil or once the owner is gone. In a callback of a tree it does not wait.
  public subscript<Value: Equatable & Sendable>(dynamicMember keyPath: WritableKeyPath<State, Value>) -> Value {
    get { self[keyPath] }
    set { write(newValue, to: keyPath, .setting(keyPath, to: newValue)) }
  }
}

extension Mutation {
  /// A mutation that sets a part, which a screen has changed.
  package static func setting<Value: Sendable>(
    _ part: WritableKeyPath<State, Value>,
    to value: Value,
    named name: StaticString = "binding"
  ) -> Mutation {
    // Key paths are immutable, and those of dynamic members capture nothing.
    nonisolated(unsafe) let part = part
    return Mutation(named: name) { state in state[keyPath: part] = value }
  }
}
