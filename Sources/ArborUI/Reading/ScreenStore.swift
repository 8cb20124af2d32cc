#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A store's state for a screen, on the main actor: an ``ObservableStore``, or a `StoreReader` on systems without
/// Observation.
///
/// - Both make bindings, presentations and stores of presented items.
@MainActor
public protocol ScreenStore<State, Action>: AnyObject {
  /// The type of the store's states.
  associatedtype State: Sendable

  /// The type of the store's actions.
  associatedtype Action: Sendable

  /// A part of the state; its readers are notified when it changes.
  ///
  /// - Parameter keyPath: The key path of the part.
  subscript<Value: Equatable>(keyPath: KeyPath<State, Value>) -> Value { get }

  /// A part of the state, read without following it.
  ///
  /// - Parameter keyPath: The key path of the part.
  subscript<Value>(untracked keyPath: KeyPath<State, Value>) -> Value { get }

  /// Sends an action and returns after its step, when this object is up to date.
  ///
  /// - Does nothing while the scope is nil or once the owner is gone. In a callback of a tree, it does not wait.
  /// - Parameter action: The action.
  func send(_ action: Action)

  /// Sends the action that writes a part, like ``send(_:)``.
  ///
  /// - If the part then has a value other than the written one, its readers are notified anyway.
  ///
  /// - Parameters:
  ///   - value: The written value.
  ///   - part: The part of the state.
  ///   - action: The action to send, which should set the part to the value.
  func write<Value: Equatable>(_ value: Value, to part: KeyPath<State, Value>, _ action: Action)

  #if canImport(SwiftUI)
    /// Returns a binding that reads and sets a property of this object.
    ///
    /// - Parameter property: The key path of the property.
    func binding<Value>(to property: ReferenceWritableKeyPath<Self, Value>) -> Binding<Value>
  #endif
}
