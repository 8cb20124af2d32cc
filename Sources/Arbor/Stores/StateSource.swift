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
}
