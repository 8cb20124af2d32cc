/// The running step of a tree.
extension Tree {
  /// Notes that a feature keeps something of the running action.
  @inlinable
  package func keep(_ part: KeptPart) {
    step.kept.append(.passUnretained(part))
  }

  /// Releases what features have kept of the running action.
  @inlinable @inline(__always)
  package func letGoOfKeptParts() {
    if !step.kept.isEmpty { letGoOfAllKeptParts() }
  }

  @usableFromInline
  func letGoOfAllKeptParts() {
    while let part = step.kept.popLast() { part._withUnsafeGuaranteedRef { $0.letGo() } }
  }

  /// Has scoped features look for their part in the action that is reduced next: it is another one than they have seen.
  package func noteOtherAction() {
    step.formNumber &+= 1
  }

  /// Notes that an interceptor has replaced the running action, by one that is now at its station.
  @usableFromInline
  func didReplaceAction(by other: any Sendable) {
    step.formNumber &+= 1
    tracer?._withUnsafeGuaranteedRef { $0.listener.didReplace(by: other) }
  }

  /// Calls a reducer for a state that belongs to no node. The effects of the action may follow, then ``letGoOfKeptParts()``.
  package func reduceOtherState(_ reduce: () -> Void) {
    letGoOfKeptParts()
    noteOtherAction()
    enter(.reducers)
    step.isReducing = true
    reduce()
    step.isReducing = false
    step.writes = .none
  }

  /// Decides whether the action that the reducers have just had is a step: the only place that does.
  ///
  /// - A step does not take place if the change that the action is was not made, or if all mutations that the reducers
  ///   have applied have failed.
  /// - Parameter isMade: `false` if a station whose actions are changes could not make its own.
  @inlinable
  func decide(_ isMade: Bool) -> Bool {
    let isFailed = step.writes == .failed
    step.writes = .none
    // The reducers may have changed other parts of the state beside the failed mutations.
    if isMade || isFailed { step.revision &+= 1 }
    return isMade && !isFailed
  }
}
