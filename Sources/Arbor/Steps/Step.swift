/// The needs of the way of an action, at a station or above it.
@usableFromInline
struct StepNeeds: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt8

  @inlinable
  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// There are declared interceptors.
  @inlinable static var judgment: StepNeeds { StepNeeds(rawValue: 1) }

  /// There are reducers.
  @inlinable static var reducers: StepNeeds { StepNeeds(rawValue: 2) }

  /// There are declared effects.
  @inlinable static var effects: StepNeeds { StepNeeds(rawValue: 4) }

  /// Effects get the action in another form than it has at the first station.
  @inlinable static var embedding: StepNeeds { StepNeeds(rawValue: 8) }

  /// An action may turn out to be no step.
  @inlinable static var failing: StepNeeds { StepNeeds(rawValue: 16) }

  /// A reducer may have changed something before the action turns out to be no step: that is to be undone.
  @inlinable static var undoing: StepNeeds { StepNeeds(rawValue: 32) }

  /// The needs of an action that does not go directly. Not an array of them, which debug builds allocate each time.
  @inlinable static var stages: StepNeeds { judgment.union(embedding).union(undoing) }
}

/// The functions by which a station does its part of a step. The stations above it have their own.
@usableFromInline
struct StationFunctions<Action: Sendable>: Sendable {
  /// Runs interceptors on an action, from a position on, and leaves the position behind the one that has stopped it.
  @usableFromInline typealias Judge = @Sendable (_ action: inout Action, _ position: inout Int) -> Judgment

  /// Makes the function that runs the interceptors on the actions of one origin (``StepPosition/origin``), given the `dispatch` that they get.
  @usableFromInline typealias MakeJudge = @Sendable (_ dispatch: @escaping @Sendable (Action) -> Void) -> Judge

  /// Nil if no interceptors are declared.
  @usableFromInline let makeJudge: MakeJudge?

  /// Calls the reducers. Returns `false` if the action is a change that was not made. Nil if there are none.
  @usableFromInline let reduce: (@Sendable (Action) -> Bool)?

  /// Returns `true` if an action may turn out to be no step; nil if none can.
  @usableFromInline let canFail: (@Sendable (Action) -> Bool)?

  /// Performs the declared effects, in the group that tracks them if a caller waits for their end; nil if there are none.
  @usableFromInline let effects: (@Sendable (Action, EffectGroup?) -> Void)?

  /// The needs of these functions.
  @usableFromInline let needs: StepNeeds

  /// - Parameter undoesAlways: `true` if an action that turns out to be no step may have changed something, whatever
  ///   other stations do.
  @inlinable
  init(
    makeJudge: MakeJudge?,
    reduce: (@Sendable (Action) -> Bool)?,
    canFail: (@Sendable (Action) -> Bool)?,
    undoesAlways: Bool,
    effects: (@Sendable (Action, EffectGroup?) -> Void)?
  ) {
    self.makeJudge = makeJudge
    self.reduce = reduce
    self.canFail = canFail
    self.effects = effects
    var needs: StepNeeds = undoesAlways ? .undoing : []
    if makeJudge != nil { needs.insert(.judgment) }
    if reduce != nil { needs.insert(.reducers) }
    if canFail != nil { needs.insert(.failing) }
    if effects != nil { needs.insert(.effects) }
    self.needs = needs
  }
}

extension Tree {
  /// Notes that a feature keeps something of the running action.
  @inlinable
  func keep(_ part: KeptPart) {
    step.kept.append(.passUnretained(part))
  }

  /// Lets go of what features have kept of the running action.
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
    step.form &+= 1
  }

  /// Notes that an interceptor has replaced the running action, by one that is now at its station.
  @usableFromInline
  func didReplaceAction(by other: any Sendable) {
    step.form &+= 1
    tracer?._withUnsafeGuaranteedRef { $0.didReplace(by: other) }
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
