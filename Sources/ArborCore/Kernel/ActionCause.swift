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

    /// An observer of an activity.
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

  /// The `id` of the `MonitoredTask` that has sent the action, or emitted the activity; nil if none has.
  ///
  /// - A cause does not have the task's key. The events of the task have it, such as `StoreEvent.taskStarted`, and so has
  ///   `task(_:)` of a `Recording`.
  public var task: UInt64? { taskID == 0 ? nil : taskID }

  /// The cause of what follows from a task, an activity or a timer that has this cause itself.
  package func followed(by kind: Kind) -> ActionCause {
    ActionCause(kind, action: action, task: task)
  }
}
