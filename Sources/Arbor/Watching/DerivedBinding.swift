internal import Dispatch

/// A property that reads a derived value, and dispatches an action when you set it.
///
/// ```swift
/// @DerivedBinding var name: String
/// _name = factory.binding(get: \.name, set: AppAction.rename)
/// name = "Ada"  // dispatches .rename("Ada")
/// ```
///
/// - Setting it on the main actor, outside the callbacks of a tree, returns after the action's step and the deliveries
///   to the main actor. The next read returns the value after the reducers.
/// - Setting it anywhere else only dispatches the action: the next read may still return the old value.
@propertyWrapper
public struct DerivedBinding<Value: Equatable & Sendable>: Sendable {
  private let derived: Derived<Value>
  private let set: @Sendable (Value) -> Void

  init(_ derived: Derived<Value>, set: @escaping @Sendable (Value) -> Void) {
    self.derived = derived
    self.set = set
  }

  /// The derived value; setting it dispatches the action.
  public var wrappedValue: Value {
    get { derived.value }
    nonmutating set { set(newValue) }
  }

  /// The derived value itself, which you can observe.
  public var projectedValue: Derived<Value> { derived }
}

extension StoreProtocol {
  /// Returns a property that reads a part of the state, and dispatches an action when you set it.
  ///
  /// - The result is nil once the owner is gone or while the scope is nil.
  /// - Parameters:
  ///   - get: Reads the part from a state. Called on the tree's queue.
  ///   - set: Makes the action for a new value. Called on the thread that sets it.
  public func binding<Value: Equatable & Sendable>(
    get: @escaping @Sendable (_ state: State) -> Value,
    set: @escaping @Sendable (_ value: Value) -> Action
  ) -> DerivedBinding<Value>? {
    let store = asStore
    return store.derived(get).map { derived in
      DerivedBinding(derived) { value in store.dispatchAndWaitIfOnMain(set(value)) }
    }
  }
}

extension Store {
  /// Dispatches an action. On the main actor, outside the callbacks of a tree, it waits for the action's step.
  func dispatchAndWaitIfOnMain(_ action: Action) {
    if MainDeliveries.isOnMain { dispatchAndWait(action) } else { dispatch(action) }
  }

  /// Dispatches an action, unless the scope is nil or the owner is gone. On the main actor, outside the callbacks of a
  /// tree, it waits for the action's step.
  ///
  /// - If it waits, the scope is checked when the action's turn comes: no step of another thread can come between.
  package func sendIfPresent(_ action: Action) {
    if address?.isOpen == false { return }
    guard MainDeliveries.isOnMain, address != nil else {
      if state != nil { dispatchAndWaitIfOnMain(action) }
      return
    }
    // A batch of one, so that single actions don't pay for a condition.
    _ = sink.submit(.blockingBatch([action], if: { state != nil }))
  }
}
