/// Calls to a listener that traces actions.
extension Tree {
  /// Returns the stamp of an action that is accepted now; nil if no listener traces actions. May be called from any
  /// thread.
  ///
  /// - Parameter sender: The action's sender; nil if it can't be revoked.
  @inlinable @inline(__always)
  func stamp(from sender: ActionSender?) -> ActionStamp? {
    tracer == nil ? nil : makeStamp(from: sender)
  }

  @usableFromInline @inline(never)
  func makeStamp(from sender: ActionSender?) -> ActionStamp {
    tracer.unsafelyUnwrapped._withUnsafeGuaranteedRef { tracer in
      let cause = tracer.listener.wantsCauses ? sender?.cause ?? cause : .outside
      return ActionStamp(accepted: tracer.listener.timeOfAcceptance(), cause: cause)
    }
  }
}

extension Node {
  /// `true` if the tree's listener traces actions.
  @inlinable @inline(__always)
  final var isTraced: Bool { tree.tracer != nil }

  // Functions of the node, and not inlined, so that actions of trees without a listener only pay for a comparison.

  /// Notifies a listener that traces actions that an action begins.
  @usableFromInline @inline(never)
  final func traceBegin<Action: Sendable>(_ action: UnsafePointer<Action>, _ stamp: ActionStamp) {
    tree.tracer?._withUnsafeGuaranteedRef { $0.listener.didBegin(action, stamp, at: self) }
  }

  /// Notifies the listener that the running action has reached a point on its way.
  @usableFromInline @inline(never)
  final func trace(_ point: TracePoint) {
    tree.tracer?._withUnsafeGuaranteedRef { $0.listener.didPass(point, at: self) }
  }

  /// Notifies the listener that an action of the step has ended.
  @usableFromInline @inline(never)
  final func traceEnd<Action: Sendable>(_ action: UnsafePointer<Action>, isLastOfStep: Bool) {
    tree.tracer?._withUnsafeGuaranteedRef { $0.listener.didEnd(action, isLastOfStep: isLastOfStep, at: self) }
  }
}
