internal import Dispatch

/// A property that reads a derived value and is written by an action.
///
/// ```swift
/// @DerivedBinding var name: String
/// _name = factory.derived(get: \.name, set: AppAction.rename)
/// name = "Ada"  // dispatches .rename("Ada")
/// ```
///
/// - Written on the main actor, the action was reduced and those who observe on the main actor were told before the write
///   returns; the next read gives what the reducers made of it. Written elsewhere, the action is dispatched.
@propertyWrapper
public struct DerivedBinding<Value: Equatable & Sendable>: Sendable {
  private let derived: Derived<Value>
  private let set: @Sendable (Value) -> Void

  init(_ derived: Derived<Value>, set: @escaping @Sendable (Value) -> Void) {
    self.derived = derived
    self.set = set
  }

  /// The derived value; writing dispatches.
  public var wrappedValue: Value {
    get { derived.value }
    nonmutating set { set(newValue) }
  }

  /// The value that is read, to be observed.
  public var projectedValue: Derived<Value> { derived }
}

extension StoreProtocol {
  /// A property that reads a part of the state and dispatches an action on writing; nil once the owner is gone, or while the
  /// scope is nil.
  public func derived<Value: Equatable & Sendable>(
    get: @escaping @Sendable (_ state: State) -> Value,
    set: @escaping @Sendable (_ value: Value) -> Action
  ) -> DerivedBinding<Value>? {
    let store = asStore
    return store.derived(get).map { derived in
      DerivedBinding(derived) { value in store.dispatchAtOnceOnMain(set(value)) }
    }
  }
}

extension Store {
  /// Dispatches; on the main actor, outside the tree's callbacks, waits for the step.
  fileprivate func dispatchAtOnceOnMain(_ action: Action) {
    if MainDeliveries.isOnMain { dispatchAndWait(action) } else { dispatch(action) }
  }
}
