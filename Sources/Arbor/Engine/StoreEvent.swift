/// What happens in a tree of stores beside its actions.
public enum StoreEvent: Sendable {
  /// A store was made: the root with its factory, a child with its object.
  case storeMade(MonitoredStore)

  /// A store's owner is gone; and so are its observers, without an event each.
  case storeGone(MonitoredStore)

  /// An observer has subscribed: a user's own, or one that stands behind a subscription, a sequence or a derived value.
  case observerMade(in: MonitoredStore)

  /// An observer has ended.
  case observerGone(in: MonitoredStore)

  /// A task has begun: of an effect, or of the store itself.
  case taskStarted(MonitoredTask)

  /// A task has come to its end.
  case taskFinished(MonitoredTask)

  /// A task was cancelled after it had begun, by whatever.
  case taskCancelled(MonitoredTask)

  /// A task has thrown an error.
  case taskFailed(MonitoredTask, any Error)

  /// An activity is about to be heard.
  case activity(any Sendable, in: MonitoredStore)
}

/// A task of a store, as monitors know it.
public struct MonitoredTask: Sendable {
  /// The store it belongs to, itself or one of its scopes.
  public let store: MonitoredStore

  /// A number that no other task in the process has.
  public let id: UInt64

  /// Its key, if it has one.
  public let key: (any Hashable & Sendable)?

  package init(store: MonitoredStore, id: UInt64, key: (any Hashable & Sendable)?) {
    self.store = store
    self.id = id
    self.key = key
  }
}

/// Hears what happens in a tree beside the steps of its actions.
@usableFromInline
protocol TreeListener: AnyObject, Sendable {
  /// The time since the tree was made, on its clock. From any thread.
  var time: Duration { get }

  /// Tells of something that has happened at a time. On the queue.
  func tell(_ event: StoreEvent, at time: Duration)

  /// An interceptor has put another action in the place of the running one. On the queue.
  func replaced(by action: any Sendable)
}

extension TreeListener {
  /// Tells of something that happens right now. On the queue.
  func tell(_ event: StoreEvent) {
    tell(event, at: time)
  }
}

extension Mailbox {
  /// Tells of something that happens right now, in its turn, if a condition holds by then. From any thread.
  func post(_ event: @autoclosure () -> StoreEvent, if condition: @escaping @Sendable () -> Bool = { true }) {
    guard let listener else { return }
    let (event, time) = (event(), listener.time)
    afterAccepted(.event) {
      if condition() { listener.tell(event, at: time) }
    }
  }
}
