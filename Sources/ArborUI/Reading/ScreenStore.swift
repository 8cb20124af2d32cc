#if canImport(SwiftUI)
  public import SwiftUI
#endif

/// A store's state for a screen, on the main actor: an ``ObservableStore``, or a `StoreReader` on systems without
/// Observation.
///
/// - Bindings, presentations and stores of presented items are made from either.
@MainActor
public protocol ScreenStore<State, Action>: AnyObject {
  /// The type of the store's states.
  associatedtype State: Sendable

  /// The type of the store's actions.
  associatedtype Action: Sendable

  /// A part of the state; what reads it is told when it changes.
  ///
  /// - Parameter keyPath: The key path of the part.
  subscript<Value: Equatable>(keyPath: KeyPath<State, Value>) -> Value { get }

  /// A part of the state, which is not followed.
  ///
  /// - Parameter keyPath: The key path of the part.
  subscript<Value>(untracked keyPath: KeyPath<State, Value>) -> Value { get }

  /// Sends an action and returns after its step, when this object is up to date.
  ///
  /// - Does nothing while the scope is nil or once the owner is gone. In a callback of a tree it does not wait.
  /// - Parameter action: The action.
  func send(_ action: Action)

  /// Sends the action of a write to a part, as ``send(_:)``; if the part then has another value than the one that was
  /// written, what reads the part is told all the same.
  ///
  /// - Parameters:
  ///   - value: The value that was written.
  ///   - part: The part of the state.
  ///   - action: The action that is to write the value.
  func write<Value: Equatable>(_ value: Value, to part: KeyPath<State, Value>, _ action: Action)

  #if canImport(SwiftUI)
    /// A binding to a property of this object.
    func binding<Value>(to property: ReferenceWritableKeyPath<Self, Value>) -> Binding<Value>
  #endif
}
