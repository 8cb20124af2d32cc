/// A tracer of actions on their way through a node.
///
/// - Without monitors it is ``Untraced``, which the compiler removes completely.
@usableFromInline
protocol StepTracer: Sendable {
  /// The stamp of an action: made when the action is accepted, and kept with it in the mailbox.
  associatedtype Stamp: Sendable

  /// The notes on one action on its way.
  associatedtype Trace

  /// `true` if the notes are used.
  static var isTracing: Bool { get }

  /// Returns the tracer of a tree. Looked up each time, so that the closures on an action's way need not capture it.
  static func of(_ tree: Tree) -> Self

  /// Makes the stamp of an action that is being accepted by a tree. From any thread.
  ///
  /// - Parameter sender: The action's sender; nil if it cannot be revoked.
  static func stamp(on tree: Tree, from sender: ActionSender?) -> Stamp

  /// Called when the action's turn has come. Returns the notes on the action.
  func begin<Action: Sendable>(_ action: Action, _ stamp: Stamp, at node: AnyStation) -> Trace

  /// Called after the interceptors, if there are any, and for an action whose step was saved.
  func didIntercept(_ trace: inout Trace)

  /// Called after the reducers.
  func didReduce(_ trace: inout Trace, at node: AnyStation)

  /// Called when the action turns out to be no step.
  func didNotStep(_ trace: inout Trace, _ reason: NoStepReason)

  /// Called after effects were performed.
  func didPerform(_ trace: inout Trace)

  /// Called before the observers of a batch, with the notes on its last action. Those of a single action follow at once.
  func willNotify(_ trace: inout Trace)

  /// Called after the observers, with the notes on the last action of the step.
  func didNotify(_ trace: inout Trace)

  /// Called at the end, whether the action was a step or not; for each action of a batch, after the whole batch.
  func finish<Action: Sendable>(
    _ action: Action,
    _ trace: inout Trace,
    isLastOfStep: Bool,
    at node: AnyStation
  )
}

/// The reason why an action was no step.
@usableFromInline
package enum NoStepReason: Sendable {
  /// An interceptor has dropped the action.
  case dropped

  /// The step was saved, as an interceptor holds the action.
  case saved

  /// The action's sender was revoked.
  case revoked

  /// The action contained mutations, all of which have failed.
  case failed
}

/// A tracer that notes nothing.
@usableFromInline
struct Untraced: StepTracer {
  @usableFromInline struct Nothing: Sendable {
    @inlinable
    init() {}
  }

  @inlinable static var isTracing: Bool { false }

  @inlinable @inline(__always)
  static func of(_ tree: Tree) -> Untraced { Untraced() }

  @inlinable
  init() {}

  @inlinable @inline(__always)
  static func stamp(on tree: Tree, from sender: ActionSender?) -> Nothing { Nothing() }

  @inlinable @inline(__always)
  func begin<Action: Sendable>(_ action: Action, _ stamp: Nothing, at node: AnyStation) -> Nothing { Nothing() }

  @inlinable @inline(__always)
  func didIntercept(_ trace: inout Nothing) {}

  @inlinable @inline(__always)
  func didReduce(_ trace: inout Nothing, at node: AnyStation) {}

  @inlinable @inline(__always)
  func didNotStep(_ trace: inout Nothing, _ reason: NoStepReason) {}

  @inlinable @inline(__always)
  func didPerform(_ trace: inout Nothing) {}

  @inlinable @inline(__always)
  func willNotify(_ trace: inout Nothing) {}

  @inlinable @inline(__always)
  func didNotify(_ trace: inout Nothing) {}

  @inlinable @inline(__always)
  func finish<Action: Sendable>(
    _ action: Action,
    _ trace: inout Nothing,
    isLastOfStep: Bool,
    at node: AnyStation
  ) {}
}
