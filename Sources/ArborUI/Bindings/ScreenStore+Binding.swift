#if canImport(SwiftUI)
  public import SwiftUI

  extension ScreenStore {
    /// A binding to a part of the state, which sends an action when it is written.
    ///
    /// ```swift
    /// TextField("Name", text: store.binding(\.name, send: AppAction.rename))
    /// ```
    ///
    /// - A write on the main actor returns after the action's step: what reads the part next sees what the reducers have
    ///   made of it, so a cursor does not jump. If they have refused the value, what reads the part is told all the same
    ///   and shows the part as it is.
    /// - If `action` captures nothing, the bindings that one place of the code makes for the same part are equal, and
    ///   SwiftUI does not redraw a view for an equal binding. If it captures values, each call makes another binding.
    /// - `action` must not read a global or static variable that changes: an equal binding keeps the first function.
    /// - Does nothing while the scope is nil or once the owner is gone. In a callback of a tree a write does not wait.
    /// - A navigation stack's path is a part like any other: `NavigationStack(path: store.binding(\.path, send: …))`.
    /// - Parameters:
    ///   - part: The part of the state.
    ///   - action: Makes the action of a value.
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
