/// A store that owns its tree, so that it always has a state.
///
/// - Methods whose result is optional on a ``Store`` have a form here that always returns a value.
/// - If you write a conforming type, its `asStore` must be the root of a tree that it keeps alive: without a state, these
///   methods stop the program.
public protocol StoreOwner<State, Action>: StoreProtocol {}

extension StoreOwner {
  /// The root's state, like ``StoreProtocol/state``.
  @inlinable public var state: State { asStore.state! }
}
