/// The origin of an action or a task: the code that sent or started it, and the action that led to it.
///
/// - The cause is `outside` for an action sent by a callback on another queue, or by a task that doesn't belong to the
///   tree.
public struct ActionCause: Hashable, Sendable {
  /// The kinds of code that send actions.
  public enum Kind: String, Hashable, Sendable {
    /// Outside the tree's callbacks and tasks.
    case outside

    /// An interceptor, an effect or an observer on the store's queue, which was called for an action.
    case action

    /// A task of the tree.
    case task

    /// An observer of an activity.
    case activity

    /// A `StateEffect` whose job had a delay.
    case timer
  }

  /// The cause of everything that begins outside. If no monitor wants causes, everything has this cause.
  public static let outside = ActionCause(.outside)

  /// The kind of code that sent the action or started the task.
  public let kind: Kind

  // 0 for none: no action and no task has this number.
  private let actionNumber: UInt64
  private let taskID: UInt64

  package init(_ kind: Kind, action: UInt64? = nil, task: UInt64? = nil) {
    self.kind = kind
    actionNumber = action ?? 0
    taskID = task ?? 0
  }

  /// The number of the action that led to this one; nil if it began outside.
  ///
  /// - It is the action that a callback was called for, or that led to the task, the activity or the timer, directly or
  ///   indirectly.
  public var action: UInt64? { actionNumber == 0 ? nil : actionNumber }

  /// The `id` of the `MonitoredTask` that sent the action or emitted the activity; nil if no task did.
  ///
  /// - A cause doesn't contain the task's key. To find the key, use the task's events, such as
  ///   `StoreEvent.taskStarted`, or `task(_:)` of a `Recording`.
  public var task: UInt64? { taskID == 0 ? nil : taskID }

  /// Returns the cause of anything that follows from a task, an activity or a timer with this cause.
  package func followed(by kind: Kind) -> ActionCause {
    ActionCause(kind, action: action, task: task)
  }
}
