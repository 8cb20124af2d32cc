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
    /// - Two bindings of the same part are equal if the actions are equal that they make of its present value, so `Action`
    ///   should be `Equatable`: bindings whose actions cannot be compared are never equal, and redraw their views. A
    ///   function whose captured values do not show in that action makes bindings that are taken for equal.
    /// - Does nothing while the scope is nil or once the owner is gone. In a callback of a tree a write does not wait.
    /// - A navigation stack's path is a part like any other: `NavigationStack(path: store.binding(\.path, send: …))`.
    /// - Parameter action: Makes the action of a value. It is also called to compare bindings, so it does nothing else.
    public func binding<Value: Equatable & Sendable>(
      _ part: KeyPath<State, Value>,
      send action: @escaping @Sendable (_ value: Value) -> Action
    ) -> Binding<Value> {
      let write = PartWrite(part: part, action: action, sample: self[untracked: part])
      return binding(to: \.[write])
    }
  }
#endif
