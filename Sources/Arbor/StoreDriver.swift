/// Whatever holds a store and acts for it: a view model, a service, a part of a program with methods of its own.
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
/// - A class or a struct, sendable or not, on any actor: it says which store it drives, and can be watched and acted on as
///   that can. On an actor, a `store` that is computed is to be `nonisolated`.
/// - It has all verbs of a store; what they do is done by ``store``, with all that this guarantees.
public protocol StoreDriver<State, Action>: StoreProtocol {
  /// The type of the store's states.
  associatedtype State

  /// The type of the store's actions.
  associatedtype Action

  /// The store that is driven: the same one each time, by which an observer is known that is subscribed again.
  var store: Store<State, Action> { get }
}

extension StoreDriver {
  /// The store that is driven.
  @inlinable public var asStore: Store<State, Action> { store }
}
