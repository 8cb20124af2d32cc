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

  /// Performs the declared effects, with the object that tracks them if a caller waits for their end; nil if there are none.
  @usableFromInline let effects: (@Sendable (Action, EffectTracker?) -> Void)?

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
    effects: (@Sendable (Action, EffectTracker?) -> Void)?
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

/// The decision of interceptors about an action, in whatever form it has where they are.
@usableFromInline
package enum Judgment {
  case passed
  case dropped
  case saved(SavedStepReceiver)
}
