/// Whatever has a state that can be watched: a ``StoreFactory``, a ``StoreObject``, a ``Store``, a ``Derived`` value or a
/// ``StoreDriver``.
public protocol StateSource<State> {
  /// The type of the states that are watched.
  associatedtype State: Sendable

  /// How its states are reached.
  var feed: StateFeed<State> { get }
}

/// How the states of a source are reached; made by Arbor alone.
public struct StateFeed<State: Sendable>: Sendable {
  /// Subscribes an observer; nil if the source is gone.
  @usableFromInline let subscribe: @Sendable (Observer<State>) -> Connection?

  /// The state between two steps, without waiting for what is accepted; nil if there is none. The closure that it is called
  /// with is called between the same steps, and says whether the state is wanted.
  let glance: @Sendable (_ whenThere: @escaping @Sendable () -> Bool) -> State?

  /// `true` if the source is there. From any thread.
  let isOpen: @Sendable () -> Bool

  /// The mailbox of the source's tree.
  @usableFromInline let mailbox: Mailbox

  /// The source that a subscription keeps alive, if nothing else does.
  let kept: (any AnyObject & Sendable)?

  /// `true` if that may be for as long as the source lives; else it is until the subscriber was given the first state.
  let isKeptForGood: Bool

  /// - Parameters:
  ///   - subscribe: Subscribes an observer; nil if the source is gone.
  ///   - glance: Finds the state between two steps.
  @usableFromInline
  init(
    subscribe: @escaping @Sendable (Observer<State>) -> Connection?,
    glance: @escaping @Sendable (_ whenThere: @escaping @Sendable () -> Bool) -> State?,
    isOpen: @escaping @Sendable () -> Bool,
    mailbox: Mailbox,
    kept: (any AnyObject & Sendable)?,
    isKeptForGood: Bool
  ) {
    self.subscribe = subscribe
    self.glance = glance
    self.isOpen = isOpen
    self.mailbox = mailbox
    self.kept = kept
    self.isKeptForGood = isKeptForGood
  }

  /// How the states of an audience are reached.
  ///
  /// - Parameter read: Finds the current state; called with the audience.
  init(
    of address: Address,
    scope: Identity,
    read: @escaping @Sendable (AnyObject) -> State?,
    kept: (any AnyObject & Sendable)? = nil,
    isKeptForGood: Bool = true
  ) {
    self.init(
      subscribe: { observer in address.subscribe(observer, scope: scope, read) },
      glance: { whenThere in address.glance(read, whenThere) },
      isOpen: { address.isOpen },
      mailbox: address.mailbox,
      kept: kept,
      isKeptForGood: isKeptForGood
    )
  }
}
