#if canImport(SwiftUI)
  public import SwiftUI

  extension ScreenStore {
    /// Returns a binding to a part of the state that sends an action when it is set.
    ///
    /// ```swift
    /// TextField("Name", text: store.binding(\.name, send: AppAction.rename))
    /// ```
    ///
    /// - A write on the main actor returns after the action's step. The next read sees the result of the reducers, so a
    ///   cursor does not jump. If the reducers refuse the value, the part's readers are notified anyway and show the
    ///   part as it is.
    /// - If `action` captures nothing, the same call site always makes equal bindings for the same part, and SwiftUI
    ///   does not redraw a view for an equal binding. If it captures values, each call makes a different binding.
    /// - `action` must not read a global or static variable that changes, because equal bindings keep the first
    ///   function.
    /// - A write does nothing while the scope is nil or once the owner is gone. In a callback of a tree, a write does
    ///   not wait.
    /// - To bind the path of a navigation stack, pass its part as usual:
    ///   `NavigationStack(path: store.binding(\.path, send: …))`.
    /// - Parameters:
    ///   - part: The part of the state.
    ///   - action: Makes the action for a written value.
    /// - Returns: The binding.
    public func binding<Value: Equatable & Sendable>(
      _ part: KeyPath<State, Value>,
      send action: @autoclosure @escaping () -> (@Sendable (_ value: Value) -> Action)
    ) -> Binding<Value> {
      let write = PartWrite<State, Action, Value>(to: part, action)
      return binding(to: \.[write])
    }
  }
#endif
