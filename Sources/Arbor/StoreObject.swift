/// Owns a child store: the child lives as long as its object does.
///
/// - The object keeps the whole tree above it alive. Release it to end the child: what was accepted before is still
///   reduced, and the child's observers are not called again.
/// - A release never waits. If nothing waits and no step runs, the child's state, reducer and observers are freed before
///   it returns; otherwise behind what waits.
/// - Keeping an object in its own or an ancestor's observer, interceptor or state would keep both alive forever: keep
///   ``store()`` there instead.
public final class StoreObject<State: Sendable, Action: Sendable>: StoreProtocol, Sendable {
  /// Takes the actions of an object that is made by hand.
  public typealias Dispatch = Store<State, Action>.Dispatch

  /// Takes the observers of an object that is made by hand.
  public typealias Subscribe = Store<State, Action>.Subscribe

  /// Nil if the object was made by hand.
  @usableFromInline let owner: Owner?
  @usableFromInline let base: Store<State, Action>

  @usableFromInline
  init(owner: Owner, store: Store<State, Action>) {
    self.owner = owner
    base = store
  }

  /// Makes an object by hand, for tests and previews of what takes one, as ``Store/init(dispatch:subscribe:)``.
  ///
  /// - It owns nothing but the closures, and has no children: to make one stops the program and says so.
  public init(dispatch: @escaping Dispatch, subscribe: @escaping Subscribe) {
    owner = nil
    base = Store(dispatch: dispatch, subscribe: subscribe)
  }

  /// The child store's proxy. Every call gives the same store, as far as observers are concerned.
  public func store() -> Store<State, Action> {
    base
  }

  /// The child store's proxy, as ``store()``. Its ``StoreProtocol/state`` is nil only while the child hangs below an optional
  /// scope that is nil.
  public var asStore: Store<State, Action> { base }

  /// A store of a part that is there at times, as ``StoreProtocol/scope(toOptional:)``: the spelling of PureduxStore.
  ///
  /// - A trailing closure whose result is optional means this one, unless a store of optionals is asked for. To pass nil on,
  ///   say `to:`.
  @inlinable
  public func scope<Part: Sendable>(_ project: @escaping @Sendable (_ state: State) -> Part?) -> Store<Part, Action> {
    base.scope(toOptional: project)
  }
}
