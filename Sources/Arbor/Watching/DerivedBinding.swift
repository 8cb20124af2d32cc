internal import Dispatch

/// A property that reads a derived value and dispatches an action when it is written.
///
/// ```swift
/// @DerivedBinding var name: String
/// _name = factory.binding(get: \.name, set: AppAction.rename)
/// name = "Ada"  // dispatches .rename("Ada")
/// ```
///
/// - A write on the main actor, outside the callbacks of a tree, returns after the action's step and the deliveries to
///   the main actor: the next read gives the value that the reducers have made.
/// - Any other write only dispatches the action: the next read may still give the old value.
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

  /// The derived value itself, which can be observed.
  public var projectedValue: Derived<Value> { derived }
}

extension StoreProtocol {
  /// A property that reads a part of the state and dispatches an action when it is written; nil once the owner is gone
  /// or while the scope is nil.
  ///
  /// - Parameters:
  ///   - get: Reads the part from a state. Called on the tree's queue.
  ///   - set: Makes the action of a written value. Called on the thread that writes.
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
  /// Dispatches an action; on the main actor, outside the callbacks of a tree, waits for its step.
  func dispatchAndWaitIfOnMain(_ action: Action) {
    if MainDeliveries.isOnMain { dispatchAndWait(action) } else { dispatch(action) }
  }

  /// Dispatches an action, unless the scope is nil or the owner is gone; on the main actor, outside the callbacks of a
  /// tree, waits for its step.
  ///
  /// - If it waits, the scope is judged in the action's turn: no step of another thread comes between.
  package func sendIfPresent(_ action: Action) {
    if address?.isOpen == false { return }
    guard MainDeliveries.isOnMain, address != nil else {
      if state != nil { dispatchAndWaitIfOnMain(action) }
      return
    }
    // A batch of one: single actions pay for no condition.
    _ = sink.submit(.blockingBatch([action], if: { state != nil }))
  }
}
