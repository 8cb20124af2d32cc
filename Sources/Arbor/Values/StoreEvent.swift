/// An event in a tree of stores, apart from its actions.
public enum StoreEvent: Sendable {
  /// A store was made: a root with its ``StoreFactory``, a child with its ``StoreObject``.
  case storeMade(MonitoredStore)

  /// A store's last owner was released. Its observers have ended, too, without events of their own.
  case storeGone(MonitoredStore)

  /// An observer was subscribed: by a user, or by Arbor for a subscription, a sequence, a derived value or a task.
  case observerMade(in: MonitoredStore)

  /// An observer has ended.
  case observerGone(in: MonitoredStore)

  /// A task of an effect, or of the store itself, has begun.
  case taskStarted(MonitoredTask)

  /// A task has ended without an error.
  case taskFinished(MonitoredTask)

  /// A task was cancelled after it had begun, for whatever reason.
  case taskCancelled(MonitoredTask)

  /// A task has thrown an error.
  case taskFailed(MonitoredTask, any Error)

  /// An activity is about to be delivered to its observers.
  case activity(any Sendable, in: MonitoredStore)
}

/// The identity of a task in a monitored tree.
public struct MonitoredTask: Sendable {
  /// The store to which the task, or the scope that started it, belongs.
  public let store: MonitoredStore

  /// A number that no other task in the process has.
  public let id: UInt64

  /// The task's key; nil if it has none.
  public let key: (any Hashable & Sendable)?

  /// The cause of the task, also if it had to wait for its key; outside, unless a monitor wants causes.
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

  /// The name of the `StateEffect` that has started the task, such as "the state effect at Shop/Cart.swift:12"; nil if
  /// none has.
  public var stateEffect: String? { declaration?.name }
}

/// The origin of an action or a task: the code that has sent or started it, and the action behind that.
///
/// - An action that a callback on another queue, or a task that is none of the tree's, sends has its cause outside.
public struct ActionCause: Hashable, Sendable {
  /// The kinds of code that send actions.
  public enum Kind: String, Hashable, Sendable {
    /// Outside the tree's callbacks and tasks.
    case outside

    /// An interceptor, an effect or an observer on the store's queue, which was called for an action.
    case action

    /// A task of the tree.
    case task

    /// A hearer of an activity.
    case activity

    /// A `StateEffect` whose job had a delay.
    case timer
  }

  /// The cause of what begins outside, or of everything if no monitor wants causes.
  public static let outside = ActionCause(.outside)

  /// The kind of the code that has sent the action, or started the task.
  public let kind: Kind

  // 0 for none: no action and no task has this number.
  private let actionNumber: UInt64
  private let taskID: UInt64

  package init(_ kind: Kind, action: UInt64? = nil, task: UInt64? = nil) {
    self.kind = kind
    actionNumber = action ?? 0
    taskID = task ?? 0
  }

  /// The number of the action for which a callback was called, or by which the task, the activity or the timer was set
  /// off, directly or through others of these; nil if that was outside.
  public var action: UInt64? { actionNumber == 0 ? nil : actionNumber }

  /// The ``MonitoredTask/id`` of the task that has sent the action, or emitted the activity; nil if none has.
  ///
  /// - A cause does not have the task's key. The events of the task have it, such as ``StoreEvent/taskStarted(_:)``, and so
  ///   has `task(_:)` of a `Recording`.
  public var task: UInt64? { taskID == 0 ? nil : taskID }

  /// The cause of what a thing of this kind causes that was caused so itself.
  package func followed(by kind: Kind) -> ActionCause {
    ActionCause(kind, action: action, task: task)
  }
}

extension MonitoredTask {
  /// The cause of what the task causes.
  package var ownCause: ActionCause { ActionCause(.task, action: cause.action, task: id) }
}

/// The identity of a store in a monitored tree: the root or a child. All scopes of a store share its identity.
public struct MonitoredStore: Sendable {
  /// A number that no other store in the process has.
  public let id: UInt64

  /// The number of the parent store; nil for a root.
  public let parent: UInt64?

  /// The type of the store's own state, not of the state that a `stateMapping` composes.
  public let stateType: Any.Type

  private let named: Name?

  /// Holds the name in an object, so that copying an event does not copy a string.
  private final class Name: Sendable {
    let text: String

    init(_ text: String) {
      self.text = text
    }
  }

  package init(id: UInt64, parent: UInt64?, stateType: Any.Type, name: String? = nil) {
    self.id = id
    self.parent = parent
    self.stateType = stateType
    named = name.map { Name($0) }
  }

  /// The name that the root's factory was given; nil if it was given none, and for a child.
  public var name: String? { named?.text }

  @usableFromInline
  init(below parent: MonitoredStore?, _ stateType: Any.Type, named name: String? = nil) {
    self.init(id: Identity().number, parent: parent?.id, stateType: stateType, name: name)
  }
}

extension MonitoredStore: Hashable {
  /// `true` if both are the same store.
  public static func == (left: MonitoredStore, right: MonitoredStore) -> Bool {
    left.id == right.id
  }

  /// Hashes the store's number.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

extension MonitoredStore: CustomStringConvertible {
  /// The name that the factory was given; without one, the name of the state's type.
  public var description: String { name ?? String(describing: stateType) }
}

/// The declaration of a state effect in the source.
///
/// - An object, so that each group of an effect's tasks has it at the cost of a reference.
@usableFromInline
package final class StateEffectDeclaration: Sendable {
  private let fileID: StaticString
  private let line: UInt

  package init(_ fileID: StaticString, _ line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  /// The name of the effect, such as "the state effect at Shop/Cart.swift:12".
  package var name: String { "the state effect at \(fileID):\(line)" }
}
