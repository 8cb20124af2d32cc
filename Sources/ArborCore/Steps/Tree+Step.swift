/// The running step of a tree.
extension Tree {
  /// Records that a feature keeps something of the running action.
  @inlinable
  package func keep(_ part: KeptPart) {
    step.kept.append(.passUnretained(part))
  }

  /// Releases the values of the running action that features kept.
  @inlinable @inline(__always)
  package func letGoOfKeptParts() {
    if !step.kept.isEmpty { letGoOfAllKeptParts() }
  }

  @usableFromInline
  func letGoOfAllKeptParts() {
    while let part = step.kept.popLast() { part._withUnsafeGuaranteedRef { $0.letGo() } }
  }

  /// Makes scoped features look for their part in the action that is reduced next, because they haven't seen it yet.
  package func noteOtherAction() {
    step.formNumber &+= 1
  }

  /// Records that an interceptor replaced the running action with one that is now at its station.
  @usableFromInline
  func didReplaceAction(by other: any Sendable) {
    step.formNumber &+= 1
    tracer?._withUnsafeGuaranteedRef { $0.listener.didReplace(by: other) }
  }

  /// Calls a reducer for a state that doesn't belong to a node. The effects of the action may follow, then
  /// ``letGoOfKeptParts()``.
  package func reduceOtherState(_ reduce: () -> Void) {
    letGoOfKeptParts()
    noteOtherAction()
    enter(.reducers)
    step.isReducing = true
    reduce()
    step.isReducing = false
    step.writes = .none
  }

  /// Decides if the action that was just reduced is a step. No other code decides that.
  ///
  /// - There is no step if the action is a change that wasn't made, or if all mutations that the reducers applied
  ///   failed.
  /// - Parameter isMade: `false` if a station whose actions are changes couldn't make its own.
  @inlinable
  func decide(_ isMade: Bool) -> Bool {
    let isFailed = step.writes == .failed
    step.writes = .none
    // The reducers may have changed other parts of the state in addition to the failed mutations.
    if isMade || isFailed { step.revision &+= 1 }
    return isMade && !isFailed
  }
}
