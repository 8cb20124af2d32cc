/// Whatever acts for a store and has all its verbs: a ``Store``, a ``StoreObject``, a ``StoreFactory`` or a ``StoreDriver``.
///
/// - A verb is done by ``asStore``, with all that this guarantees. What is nil there because an owner may be gone is not optional
///   on a ``StoreFactory``, which is the owner.
public protocol StoreProtocol<State, Action>: StateSource {
  /// The type of the store's states.
  associatedtype State

  /// The type of the store's actions.
  associatedtype Action: Sendable

  /// The store that the verbs act on. The same at any time, as far as observers are concerned.
  var asStore: Store<State, Action> { get }
}

extension Store: StoreProtocol {
  /// This store.
  @inlinable public var asStore: Store { self }
}
