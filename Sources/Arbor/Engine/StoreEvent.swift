/// Something that happens in a tree of stores beside its actions.
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
  func report(_ event: StoreEvent, at time: Duration)

  /// An interceptor has put another action in the place of the running one. On the queue.
  func replaced(by action: any Sendable)
}

extension TreeListener {
  /// Tells of something that happens right now. On the queue.
  func report(_ event: StoreEvent) {
    report(event, at: time)
  }
}

/// A store of a monitored tree, as its monitors know it: the root or a child, with all scopes of it.
public struct MonitoredStore: Sendable {
  /// A number that no other store in the process has.
  public let id: UInt64

  /// The number of the store above; nil for a root.
  public let parent: UInt64?

  /// The type of its own state: not of what a `stateMapping` composes.
  public let stateType: Any.Type

  package init(id: UInt64, parent: UInt64?, stateType: Any.Type) {
    self.id = id
    self.parent = parent
    self.stateType = stateType
  }

  @usableFromInline
  init(below parent: MonitoredStore?, _ stateType: Any.Type) {
    self.init(id: Identity().number, parent: parent?.id, stateType: stateType)
  }
}

extension MonitoredStore: Hashable {
  /// `true` if both are the same store.
  public static func == (left: MonitoredStore, right: MonitoredStore) -> Bool {
    left.id == right.id
  }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

extension MonitoredStore: CustomStringConvertible {
  /// The name of the state's type.
  public var description: String { String(describing: stateType) }
}
