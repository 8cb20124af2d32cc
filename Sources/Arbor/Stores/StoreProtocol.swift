/// The methods that ``Store``, ``StoreObject``, ``StoreFactory`` and ``StoreDriver`` share.
///
/// - Each method acts on ``asStore`` and gives the same guarantees. Results that are optional because the owner may be
///   gone are not optional on a ``StoreFactory``, which is the owner.
public protocol StoreProtocol<State, Action>: StateSource {
  /// The type of the store's states.
  associatedtype State

  /// The type of the store's actions.
  associatedtype Action: Sendable

  /// The store on which the methods act.
  ///
  /// - It is the same store each time, so that an observer that is subscribed again is recognized.
  var asStore: Store<State, Action> { get }
}

extension Store: StoreProtocol {
  /// This store.
  @inlinable public var asStore: Store { self }
}
