/// The owner of a child store: the child lives as long as this object.
///
/// ```swift
/// let editor = store.childStore(initialState: Draft(), stateMapping: { ($0, $1) }) { draft, action in
///   draft.reduce(action)
/// }
/// editor.store().dispatch(.edit("Hello"))
/// ```
///
/// - It keeps all ancestors of the child alive, including the root.
/// - Releasing the object ends the child: actions accepted earlier are still reduced, and the child's observers aren't
///   called again.
/// - Releasing the object never waits. If the tree is idle, the child's state, reducer and observers are freed before
///   the release returns; otherwise after the work that is waiting.
/// - Don't keep the object in its own or an ancestor's observer, interceptor or state, which would keep both alive
///   forever. Keep ``store()`` there instead.
public final class StoreObject<State: Sendable, Action: Sendable>: StoreProtocol, Sendable {
  /// The closure that receives the actions of a closure-backed object.
  public typealias Dispatch = Store<State, Action>.Dispatch

  /// The closure that receives the observers of a closure-backed object.
  public typealias Subscribe = Store<State, Action>.Subscribe

  /// The token that keeps the child alive; nil if the child was closed from the start, and in a closure-backed object.
  @usableFromInline let owner: Owner?
  @usableFromInline let base: Store<State, Action>

  @usableFromInline
  init(owner: Owner?, store: Store<State, Action>) {
    self.owner = owner
    base = store
  }

  /// Makes the object of a child that is closed from the start.
  @inlinable
  convenience init(closedOn tree: Tree) {
    self.init(owner: nil, store: Store(at: NodeAddress(closedOn: tree)))
  }

  /// Makes a closure-backed object for tests and previews of code that takes an object, like
  /// ``Store/init(dispatch:subscribe:)``.
  ///
  /// - It only owns the closures and has no tree. Child stores are closed from the start.
  /// - Parameters:
  ///   - dispatch: Receives each action.
  ///   - subscribe: Called with each observer, to which it sends states with ``Observer/send(_:complete:)``. Each read
  ///     of ``StoreProtocol/state`` adds an observer, too.
  public convenience init(dispatch: @escaping Dispatch, subscribe: @escaping Subscribe) {
    self.init(owner: nil, store: Store(dispatch: dispatch, subscribe: subscribe))
  }

  /// Returns the child store. Every call returns the same store: if you subscribe an observer to it again, Arbor
  /// recognizes the observer.
  public func store() -> Store<State, Action> {
    base
  }

  /// The child store, which ``store()`` also returns.
  ///
  /// - Its ``StoreProtocol/state`` is nil only while the child is below an optional scope that is nil, if the child was
  ///   closed from the start, or if the object is closure-backed and sends no state.
  public var asStore: Store<State, Action> { base }

  /// Returns a store of an optional part, like ``StoreProtocol/scope(toOptional:)``, with the spelling of PureduxStore.
  ///
  /// - `object.scope { $0.optional }` calls this method, unless the context expects a store of optionals, `Store<Part?,
  ///   Action>`.
  /// - To pass nil on to the observers, use ``StoreProtocol/scope(to:)``.
  /// - Parameter project: Reads the part from the state; nil while there is none.
  @inlinable
  public func scope<Part: Sendable>(_ project: @escaping @Sendable (_ state: State) -> Part?) -> Store<Part, Action> {
    base.scope(toOptional: project)
  }
}
