/// An event in a tree of stores other than an action.
///
/// ```swift
/// func monitor(_ event: StoreEvent, at time: Duration) {
///   if case .taskFailed(let task, let error) = event { print(task.key ?? "no key", error) }
/// }
/// ```
public enum StoreEvent: Sendable {
  /// A store was made: a root with its ``StoreFactory``, a child with its ``StoreObject``.
  case storeMade(MonitoredStore)

  /// A store's last owner was released. Its observers have also ended, without separate events.
  case storeGone(MonitoredStore)

  /// An observer was subscribed, by your code, or by Arbor for a subscription, a sequence, a derived value or a task.
  case observerMade(in: MonitoredStore)

  /// An observer has ended.
  case observerGone(in: MonitoredStore)

  /// A task of an effect, or of the store itself, has begun.
  case taskStarted(MonitoredTask)

  /// A task has ended without an error.
  case taskFinished(MonitoredTask)

  /// A task was canceled after it had begun, for any reason.
  case taskCancelled(MonitoredTask)

  /// A task threw an error.
  case taskFailed(MonitoredTask, any Error)

  /// An activity is about to be delivered to its observers.
  case activity(any Sendable, in: MonitoredStore)
}

/// The identity of a task in a monitored tree.
public struct MonitoredTask: Sendable {
  /// The store of the task, or of the scope that started it.
  public let store: MonitoredStore

  /// A number that no other task in the process has.
  public let id: UInt64

  /// The task's key; nil if it has none.
  public let key: (any Hashable & Sendable)?

  /// The cause of the task, even if it had to wait for its key; `outside`, unless a monitor wants causes.
  public let cause: ActionCause

  private let declaration: StateEffectDeclaration?

  package init(
    store: MonitoredStore,
    id: UInt64,
    key: (any Hashable & Sendable)?,
    cause: ActionCause = .outside,
    of stateEffect: StateEffectDeclaration? = nil
  ) {
    self.store = store
    self.id = id
    self.key = key
    self.cause = cause
    declaration = stateEffect
  }

  /// The name of the `StateEffect` that started the task, such as "the state effect at Shop/Cart.swift:12"; nil if
  /// there is none.
  public var stateEffect: String? { declaration?.name }
}

extension MonitoredTask {
  /// The cause of anything that the task starts.
  package var ownCause: ActionCause { ActionCause(.task, action: cause.action, task: id) }
}
