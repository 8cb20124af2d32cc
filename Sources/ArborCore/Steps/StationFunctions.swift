/// The needs of an action's way, at a station or above it.
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

  /// Effects receive the action in another form than it has at the first station.
  @inlinable static var embedding: StepNeeds { StepNeeds(rawValue: 8) }

  /// An action may turn out not to be a step.
  @inlinable static var failing: StepNeeds { StepNeeds(rawValue: 16) }

  /// A reducer may have changed something before the action turns out not to be a step, and that must be undone.
  @inlinable static var undoing: StepNeeds { StepNeeds(rawValue: 32) }

  /// The needs that rule out the direct way. Not an array, which debug builds would allocate each time.
  @inlinable static var stages: StepNeeds { judgment.union(embedding).union(undoing) }
}

/// The functions that do a station's part of a step. The stations above it have their own.
@usableFromInline
struct StationFunctions<Action: Sendable>: Sendable {
  /// Runs interceptors on an action, starting at a position. If one stops the action, the position then is the one
  /// after it.
  @usableFromInline typealias Judge = @Sendable (_ action: inout Action, _ position: inout Int) -> Judgment

  /// Makes the function that runs the interceptors on the actions of one origin (``StepPosition/origin``), with the
  /// `dispatch` that they receive.
  @usableFromInline typealias MakeJudge = @Sendable (_ dispatch: @escaping @Sendable (Action) -> Void) -> Judge

  /// Nil if no interceptors are declared.
  @usableFromInline let makeJudge: MakeJudge?

  /// Calls the reducers. Returns `false` if the action is a change that wasn't made. Nil if there are none.
  @usableFromInline let reduce: (@Sendable (Action) -> Bool)?

  /// Returns `true` if an action may turn out not to be a step; nil if every action is one.
  @usableFromInline let canFail: (@Sendable (Action) -> Bool)?

  /// Performs the declared effects, with the object that tracks them if a caller waits for their end; nil if there are none.
  @usableFromInline let effects: (@Sendable (Action, EffectTracker?) -> Void)?

  /// The needs of these functions.
  @usableFromInline let needs: StepNeeds

  /// - Parameter undoesAlways: `true` if an action that turns out not to be a step may have changed something,
  ///   regardless of other stations.
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

/// The decision of interceptors about an action, in its form at their station.
@usableFromInline
package enum Judgment {
  case passed
  case dropped
  case saved(SavedStepReceiver)
}
