/// Looks on while actions take their way through a node. Where nobody does it is ``Untraced``, of which the compiler leaves nothing.
@usableFromInline
protocol StepTracer: Sendable {
  /// A stamp that waits with an action in the mailbox, taken when that is accepted.
  associatedtype Stamp: Sendable

  /// The notes on an action on its way.
  associatedtype Trace

  /// `true` if what is noted is wanted.
  static var isTracing: Bool { get }

  /// The tracer of a tree: found anew each time, so that the closures on the way of an action need not capture it.
  static func of(_ tree: Tree) -> Self

  /// Marks an action that is being accepted. From any thread.
  func stamp() -> Stamp

  /// The action's turn has come.
  func begin<Action: Sendable>(_ action: Action, _ stamp: Stamp, at node: Node) -> Trace

  /// The interceptors have run.
  func didIntercept(_ trace: inout Trace)

  /// The reducers have run.
  func didReduce(_ trace: inout Trace, at node: Node)

  /// The action did not come to a step.
  func didNotStep(_ trace: inout Trace, by end: ActionEnd)

  /// The observers are about to be called, for this action as the last of its step.
  func willNotify(_ trace: inout Trace)

  /// The observers were called.
  func didNotify(_ trace: inout Trace)

  /// The action's step is done.
  func finish<Action: Sendable>(
    _ action: Action,
    _ trace: inout Trace,
    isLastOfStep: Bool,
    at node: Node
  )
}

/// Why an action was no step.
@usableFromInline
enum ActionEnd: Sendable {
  /// An interceptor has dropped it.
  case dropped

  /// Its sender has revoked it.
  case revoked

  /// It was nothing but changes that have not taken place.
  case failed
}

/// Nobody looks on.
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
  func stamp() -> Nothing { Nothing() }

  @inlinable @inline(__always)
  func begin<Action: Sendable>(_ action: Action, _ stamp: Nothing, at node: Node) -> Nothing { Nothing() }

  @inlinable @inline(__always)
  func didIntercept(_ trace: inout Nothing) {}

  @inlinable @inline(__always)
  func didReduce(_ trace: inout Nothing, at node: Node) {}

  @inlinable @inline(__always)
  func didNotStep(_ trace: inout Nothing, by end: ActionEnd) {}

  @inlinable @inline(__always)
  func willNotify(_ trace: inout Nothing) {}

  @inlinable @inline(__always)
  func didNotify(_ trace: inout Nothing) {}

  @inlinable @inline(__always)
  func finish<Action: Sendable>(
    _ action: Action,
    _ trace: inout Nothing,
    isLastOfStep: Bool,
    at node: Node
  ) {}
}
