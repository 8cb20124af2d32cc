/// Whatever has a state that can be watched: a ``StoreFactory``, a ``StoreObject``, a ``Store``, a ``Derived`` value or a
/// ``StoreDriver``.
public protocol StateSource<State> {
  /// The type of the states that are watched.
  associatedtype State: Sendable

  /// The source of whatever type, by which its states are reached.
  var asStateSource: AnyStateSource<State> { get }
}

/// A source of states whose type does not matter to those who watch it.
///
/// - Made from any ``StateSource`` by ``StateSource/asStateSource``. It keeps a ``Derived`` value alive, and of a store no more than
///   the store itself does.
public struct AnyStateSource<State: Sendable>: StateSource, Sendable {
  /// Where observers subscribe; nil if the source is a store that was made by hand.
  @usableFromInline let address: Address?

  /// The store that complains if it is used although its owner is gone.
  @usableFromInline let identity: Identity

  /// Finds the state. Called on the queue with the audience.
  @usableFromInline let read: @Sendable (AnyObject?) -> State?

  /// Connects an observer; nil if the source is gone.
  @usableFromInline let connect: @Sendable (Observer<State>, Role) -> Connection?

  /// The source that a subscription keeps alive, if nothing else does.
  @usableFromInline private(set) var kept: (any AnyObject & Sendable)?

  /// `true` if that may be for as long as the source lives; else it is until the subscriber was given the first state.
  @usableFromInline private(set) var isKeptForGood = true

  @inlinable
  init(
    at address: Address?,
    identity: Identity,
    read: @escaping @Sendable (AnyObject?) -> State?,
    connect: @escaping @Sendable (Observer<State>, Role) -> Connection?
  ) {
    self.address = address
    self.identity = identity
    self.read = read
    self.connect = connect
  }

  /// The states of an audience.
  ///
  /// - Parameter read: Finds the current state; called with the audience.
  init(of address: Address, read: @escaping @Sendable (AnyObject?) -> State?) {
    self.init(at: address, identity: Identity(), read: read) { observer, _ in
      address.subscribe(observer, scope: nil, read)
    }
  }

  /// This very source.
  public var asStateSource: AnyStateSource { self }

  /// The same source, which those who observe it keep alive.
  ///
  /// - Parameter isKeptForGood: Whether that may be for as long as the source lives.
  func keeping(_ object: any AnyObject & Sendable, isKeptForGood: Bool) -> AnyStateSource {
    var source = self
    source.kept = object
    source.isKeptForGood = isKeptForGood
    return source
  }

  /// The same source, which nobody keeps alive.
  var keepingNothing: AnyStateSource {
    var source = self
    source.kept = nil
    return source
  }

  /// A part of the states.
  package func part<Part: Sendable>(_ part: @escaping @Sendable (State) -> Part) -> AnyStateSource<Part> {
    var source = AnyStateSource<Part>(at: address, identity: identity) { [read] node in
      read(node).map(part)
    } connect: { [connect] observer, role in
      connect(observer.pullback { part($0) }, role)
    }
    source.kept = kept
    source.isKeptForGood = isKeptForGood
    return source
  }

  /// The mailbox of the source's tree.
  var tree: Tree { address?.tree ?? Tree() }

  /// `true` if the source is there. From any thread.
  var isOpen: Bool { address?.isOpen ?? true }

  /// Subscribes an observer.
  ///
  /// - Returns: The connection; nil if the source is gone, about which a store complains.
  @inlinable
  func subscribe(_ observer: Observer<State>) -> Connection? {
    let connection = connect(observer, .internalObserver)
    if connection == nil { address?.reportUseAfterRelease(by: identity) }
    return connection
  }

  /// The state as it is between two steps, not waiting for what was accepted; nil if there is none.
  ///
  /// - Parameter whenThere: Called between the same two steps, and says whether the state is wanted; not called once the source
  ///   is gone.
  func readBetweenSteps(_ whenThere: @escaping @Sendable () -> Bool) -> State? {
    guard let address else { return whenThere() ? read(nil) : nil }
    return address.readBetweenSteps(read, whenThere)
  }
}

extension Address {
  /// The state between two steps, not waiting for what was accepted; nil if there is none, or it is not wanted.
  fileprivate func readBetweenSteps<State: Sendable>(
    _ read: @escaping @Sendable (AnyObject?) -> State?,
    _ whenThere: @escaping @Sendable () -> Bool
  ) -> State? {
    let glimpse = ReadState<State>()
    _ = tree.readBetweenSteps(at: self) { audience in
      if whenThere() { glimpse.state = read(audience) }
    }
    return glimpse.state.take()
  }
}

/// A state on its way from the queue to a thread that waits for it.
private final class ReadState<State: Sendable>: @unchecked Sendable {  // One writes, then the other reads.
  var state: State?
}
