/// A source of states that you can observe: a ``StoreFactory``, a ``StoreObject``, a ``Store``, or a ``StoreDriver``.
///
/// - With `Arbor`, derived values are sources, too.
public protocol StateSource<State> {
  /// The type of the observed states.
  associatedtype State: Sendable

  /// This source, type-erased. Arbor subscribes observers through it.
  var asStateSource: AnyStateSource<State> { get }
}

/// A type-erased source of states.
///
/// - To get one, read ``StateSource/asStateSource`` of any ``StateSource``.
/// - It doesn't extend the life of a store's state. A derived value lives as long as its sources.
public struct AnyStateSource<State: Sendable>: StateSource, Sendable {
  /// The address at which observers subscribe; nil if the source is a closure-backed store.
  @usableFromInline package let address: Address?

  /// The source's tree. The tree of a closure-backed store has no node, only the values derived from the store and the
  /// deliveries to its observers.
  @usableFromInline package let tree: Tree

  /// The identity that limits the report about a store whose owner is gone to one per store.
  @usableFromInline let identity: Identity

  /// Finds the current state. Called on the tree's queue with the audience.
  @usableFromInline let read: @Sendable (AnyObject?) -> State?

  /// Connects an observer. Returns nil if the source is gone.
  @usableFromInline let connect: @Sendable (Observer<State>, Role) -> Connection?

  /// The object that each subscription keeps alive; nil if there is none.
  @usableFromInline package private(set) var kept: (any AnyObject & Sendable)?

  /// `true` if the source has only one state, which ``read`` finds without the audience, even when the source is gone.
  ///
  /// - Such a source never ends, because no owner can be released. If a subscription outlives its token, it keeps
  ///   ``kept`` until the observer was called; any other subscription keeps it until the observation ends.
  @usableFromInline package private(set) var isConstant = false

  /// The trees of the inputs of a source that is combined from other trees. Wait for them in this order, and then for
  /// the source's own tree. Empty for any other source.
  package private(set) var inputTrees: [Tree] = []

  @inlinable
  init(
    at address: Address?,
    on tree: Tree,
    identity: Identity,
    read: @escaping @Sendable (AnyObject?) -> State?,
    connect: @escaping @Sendable (Observer<State>, Role) -> Connection?
  ) {
    self.address = address
    self.tree = tree
    self.identity = identity
    self.read = read
    self.connect = connect
  }

  /// Makes a source from the states of an audience.
  ///
  /// - Parameters:
  ///   - entry: The kind of the entry that subscribes an observer.
  ///   - read: Finds the current state; called with the audience.
  package init(
    of address: Address,
    subscribedBy entry: WaitingEntry.Kind = .subscription,
    read: @escaping @Sendable (AnyObject?) -> State?
  ) {
    self.init(at: address, on: address.tree, identity: Identity(), read: read) { observer, _ in
      address.subscribe(observer, store: nil, by: entry, read)
    }
  }

  /// This source.
  public var asStateSource: AnyStateSource { self }

  /// Returns this source with an object that each subscription keeps alive.
  ///
  /// - Parameters:
  ///   - isConstant: See ``isConstant``.
  ///   - inputTrees: See ``inputTrees``.
  package func keeping(
    _ object: any AnyObject & Sendable,
    isConstant: Bool,
    inputTrees: [Tree] = []
  ) -> AnyStateSource {
    var source = self
    source.kept = object
    source.isConstant = isConstant
    source.inputTrees = inputTrees
    return source
  }

  /// This source without an object that its subscriptions keep alive.
  package var keepingNothing: AnyStateSource {
    var source = self
    source.kept = nil
    return source
  }

  /// Returns a source of a part of the states.
  package func part<Part: Sendable>(_ part: @escaping @Sendable (State) -> Part) -> AnyStateSource<Part> {
    var source = AnyStateSource<Part>(at: address, on: tree, identity: identity) { [read] node in
      read(node).map(part)
    } connect: { [connect] observer, role in
      connect(observer.pullback { part($0) }, role)
    }
    source.kept = kept
    source.isConstant = isConstant
    source.inputTrees = inputTrees
    return source
  }

  /// Subscribes an observer.
  ///
  /// - Returns: The connection; nil if the source is gone. For a store, debug builds report that.
  @inlinable
  package func subscribe(_ observer: Observer<State>) -> Connection? {
    let connection = connect(observer, .internalObserver)
    if connection == nil { address?.reportUseAfterRelease(by: identity, of: State.self) }
    return connection
  }

  /// Returns the state between two steps, without waiting for accepted actions; nil if there is none or it isn't
  /// wanted.
  ///
  /// - Parameter whenThere: Returns `true` if the state is wanted. Called between the same two steps; not called once
  ///   the source is gone.
  package func readBetweenSteps(_ whenThere: @escaping @Sendable () -> Bool) -> State? {
    guard let address, !isConstant else { return whenThere() ? read(nil) : nil }
    return address.readBetweenSteps(read, whenThere)
  }
}

extension Address {
  /// Returns the state between two steps, without waiting for accepted actions; nil if there is none or it isn't
  /// wanted.
  fileprivate func readBetweenSteps<State: Sendable>(
    _ read: @escaping @Sendable (AnyObject?) -> State?,
    _ whenThere: @escaping @Sendable () -> Bool
  ) -> State? {
    let result = ReadState<State>()
    _ = tree.readBetweenSteps(at: self) { audience in
      if whenThere() { result.state = read(audience) }
    }
    return result.state.take()
  }
}

/// A box in which the thread on the queue passes a state to the thread that waits for it.
private final class ReadState<State: Sendable>: Sendable {
  nonisolated(unsafe) var state: State?
}
