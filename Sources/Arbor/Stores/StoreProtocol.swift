/// The methods that ``Store``, ``StoreObject``, ``StoreFactory`` and ``StoreDriver`` share.
///
/// - Each acts on ``asStore``, with all that this guarantees. Results that are optional because an owner may be gone are not
///   optional on a ``StoreFactory``, which is the owner.
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
