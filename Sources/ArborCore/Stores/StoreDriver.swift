/// A type that wraps a store and adds methods of its own: a view model, a service, a part of a program.
///
/// ```swift
/// @MainActor final class CounterModel: StoreDriver {
///   let store: Store<Counter, Mutation<Counter>>
///
///   init(store: Store<Counter, Mutation<Counter>>) { self.store = store }
///
///   func increment() { commit { $0.count += 1 } }
/// }
/// ```
///
/// - It has all methods of ``StoreProtocol``. They are forwarded to ``store`` and give the same guarantees.
/// - It may be a struct, a class or an actor, sendable or not. On an actor, declare a computed `store` as
///   `nonisolated`.
/// - It can be observed and dispatched to like the store itself.
public protocol StoreDriver<State, Action>: StoreProtocol {
  /// The type of the store's states.
  associatedtype State

  /// The type of the store's actions.
  associatedtype Action

  /// The store on which the methods act.
  ///
  /// - Return the same store each time: an observer that is subscribed twice is recognized by the store's identity. A
  ///   scope that is made anew for each access is a different store, and the observer would be called twice.
  var store: Store<State, Action> { get }
}

extension StoreDriver {
  /// The wrapped store.
  @inlinable public var asStore: Store<State, Action> { store }
}
