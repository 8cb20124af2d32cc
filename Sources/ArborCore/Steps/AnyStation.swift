/// A node as a station on the way of actions, without their type.
///
/// An action moves from the station to which it was dispatched up to the root, once for each stage: the interceptors of
/// all stations, then the reducers of all, then the effects of all. There are two ways:
///
/// - Direct, if no station needs more: the reducers and effects receive the action as an argument.
/// - In stages otherwise: each station has the action in the form that it takes there, from the first stage to the
///   last. An interceptor may replace the action, and it is embedded if the parent has another type of actions.
@usableFromInline
package class AnyStation: Node, @unchecked Sendable {  // Like its superclass.
  /// The node's own state.
  @usableFromInline final let box: AnyStateBox

  /// The needs of this station and all stations above it.
  @usableFromInline final let needs: StepNeeds

  /// Judges the running action at this station, starting at a position. If the action passes, the position moves up.
  ///
  /// - This function and ``visitErased`` capture nothing, because they receive their station. So a child needs no
  ///   memory for them.
  @usableFromInline final let judgeErased: @Sendable (_ station: AnyStation, _ position: inout StepPosition) -> Judgment

  /// Does this station's work for a stage. Returns `false` to end the stage; for ``StepStage/failures``, returns the
  /// answer.
  @usableFromInline final let visitErased: @Sendable (_ station: AnyStation, _ stage: StepStage) -> Bool

  /// `true` if reducers here may have changed something before they fail.
  @usableFromInline final let undoesItself: Bool

  /// - Parameters:
  ///   - isEmbedded: `true` if the parent takes another type of actions.
  ///   - box: The node's own state.
  ///   - needs: The needs of the station itself.
  @usableFromInline
  init(
    at address: NodeAddress,
    below parent: AnyStation?,
    isEmbedded: Bool,
    _ box: AnyStateBox,
    _ needs: StepNeeds,
    judge: @escaping @Sendable (_ station: AnyStation, _ position: inout StepPosition) -> Judgment,
    visit: @escaping @Sendable (_ station: AnyStation, _ stage: StepStage) -> Bool,
    notifyAll: (@Sendable (_ root: Node) -> Void)?
  ) {
    self.box = box
    undoesItself = needs.contains(.undoing)
    var needs = needs
    if let parent {
      if needs.contains(.reducers), parent.needs.contains(.failing) { needs.insert(.undoing) }
      if isEmbedded, parent.needs.contains(.effects) { needs.insert(.embedding) }
      needs.formUnion(parent.needs)
    }
    self.needs = needs
    self.judgeErased = judge
    self.visitErased = visit
    super.init(at: address, parent: parent, notifyAll: notifyAll)
  }

  /// The parent.
  @inlinable package final var above: AnyStation? { parent.map { AnyStation.of($0) } }

  /// Returns the own states of this station and of each one above, the root's last.
  @usableFromInline
  package final func ownStates() -> [any Sendable] {
    [box.anyState] + (above?.ownStates() ?? [])
  }

  /// The running action, in its form at this station.
  var form: (any Sendable)? {
    get { nil }
    set {}
  }

  /// Performs the effects that were added to this node, for the running action.
  func performAddedEffects(trackedBy tracker: EffectTracker?) {}
}

extension AnyStation {
  /// Runs the interceptors, starting at a position. If one stops the action, the position stays there.
  @usableFromInline
  final func judgeAll(from position: inout StepPosition) -> Judgment {
    while let station = position.station {
      let judgment = station._withUnsafeGuaranteedRef { $0.judgeErased($0, &position) }
      guard case .passed = judgment else { return judgment }
    }
    return .passed
  }

  /// Visits each station above this one until one returns `false`.
  @usableFromInline
  final func visitFurther(_ stage: StepStage) -> Bool {
    var next = above.map { Unmanaged.passUnretained($0) }
    while let station = next {
      guard station._withUnsafeGuaranteedRef({ $0.visitErased($0, stage) }) else { return false }
      next = station._withUnsafeGuaranteedRef { $0.above.map { .passUnretained($0) } }
    }
    return true
  }

  /// Copies the own states that reducers may change before the action turns out not to be a step: the states below a
  /// station that may fail. Returns the functions that restore them.
  @usableFromInline
  final func restorations() -> [() -> Void] {
    guard undoesItself || parent != nil else { return [] }
    var stations: [AnyStation] = [self]
    while let above = stations[stations.count - 1].above { stations.append(above) }
    var restorations: [() -> Void] = []
    var canFail = false
    for station in stations.reversed() {
      let fails = station.visitErased(station, .failures)
      if canFail || fails && station.undoesItself { restorations.append(station.box.restoring()) }
      canFail = canFail || fails
    }
    return restorations
  }

  /// Restores the states that reducers changed, because the action wasn't a step.
  @usableFromInline
  final func undo(_ restorations: [() -> Void]) {
    for restore in restorations { restore() }
    if tree.step.hasAwaitedChange { tree.stop(for: .droppingCommit) }
  }

  /// Performs the effects that were added to this station and to each one above.
  @usableFromInline
  final func performAllAddedEffects(trackedBy tracker: EffectTracker?) {
    var next: AnyStation? = self
    while let station = next {
      station.performAddedEffects(trackedBy: tracker)
      next = station.above
    }
  }
}

/// A position on the way of an action through the interceptors.
@usableFromInline
struct StepPosition {
  /// The action's present station; nil above the root. It outlives the position, as do all later stations.
  @usableFromInline var station: Unmanaged<AnyStation>?

  /// The number of the next declared interceptor at the station.
  @usableFromInline var number = 0

  /// The lowest number that the next added interceptor at the station may have.
  @usableFromInline var added: UInt64 = 0

  /// The station to which the `dispatch` of interceptors sends: the one to which the action was sent, or the last one
  /// on its way whose actions have another type than those below.
  @usableFromInline var origin: Unmanaged<AnyStation>

  /// The number of the first added interceptor that doesn't judge the action, because it was added while the action was
  /// held.
  @usableFromInline var end = UInt64.max

  @inlinable
  init(at station: Unmanaged<AnyStation>) {
    self.station = station
    origin = station
  }
}

/// The stages of an action after the interceptors.
@usableFromInline
enum StepStage {
  /// Stations whose reducers may fail return `true`.
  case failures
  case reducers
  case effects(EffectTracker?)

  /// The station releases the action.
  case end
}
