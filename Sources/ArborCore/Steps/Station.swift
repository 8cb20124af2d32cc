/// A station with its type of actions.
///
/// Code that depends on `Action` is in closures that are made where the type is known, or in final methods that such
/// closures call, so that the compiler specializes it.
@usableFromInline
class Station<Action: Sendable>: AnyStation, @unchecked Sendable {  // Like its superclass.
  @usableFromInline final let functions: StationFunctions<Action>

  /// Sends an action to the station of an address. Set when the station is opened.
  @usableFromInline final var send: (@Sendable (NodeAddress, Action) -> Bool)!

  /// The parent, if it takes the same actions; nil at the root, or if the parent takes other actions. Unretained,
  /// because each node retains its parent.
  @usableFromInline final let parentOfSameActions: Unmanaged<Station<Action>>?

  /// The way to a parent that takes other actions.
  @usableFromInline final let lift: Lift<Action>?

  /// The running action, in its form here. Nil between two steps, and when the action takes the direct way.
  @usableFromInline
  @exclusivity(unchecked)
  final var action: Action?

  /// The declared interceptors, set up for actions of the last origin. Most actions of a station have the same origin.
  /// Unmanaged, because a variable would be retained for each action.
  @usableFromInline
  @exclusivity(unchecked)
  final var judge: Unmanaged<OriginJudge<Action>>?

  /// Receives the errors of effects' tasks; nil if they are printed.
  @usableFromInline final let onEffectError: EffectErrorHandler<Action>?

  /// - Parameter box: The node's own state.
  @inlinable
  init(
    at address: NodeAddress,
    parent: AnyStation?,
    _ box: AnyStateBox,
    _ functions: StationFunctions<Action>,
    _ way: WayToParent<Action>?,
    onEffectError: EffectErrorHandler<Action>?,
    judge: @escaping @Sendable (_ station: AnyStation, _ position: inout StepPosition) -> Judgment,
    visit: @escaping @Sendable (_ station: AnyStation, _ stage: StepStage) -> Bool,
    notifyAll: (@Sendable (_ root: Node) -> Void)?
  ) {
    self.functions = functions
    parentOfSameActions = way?.parent.map { .passUnretained($0) }
    lift = way?.lift
    self.onEffectError = onEffectError
    super.init(
      at: address,
      below: parent,
      isEmbedded: way?.lift != nil,
      box,
      functions.needs,
      judge: judge,
      visit: visit,
      notifyAll: notifyAll
    )
  }

  deinit {
    judge?.release()
  }

  /// Makes the function that sends actions here. It works for as long as it is kept.
  @inlinable
  final func makeDispatch() -> @Sendable (Action) -> Void {
    { [address = nodeAddress, send = send.unsafelyUnwrapped] action in _ = send(address, action) }
  }

  // MARK: The direct way

  /// Reduces an action here and at all ancestors. Returns `false` if it is a change that wasn't made.
  @inlinable
  final func reduceDirectly(_ action: Action) -> Bool {
    // Optional chaining, because a binding would retain the closure.
    guard functions.reduce?(action) != false else { return false }
    guard let parentOfSameActions else { return lift?.reduce(action) ?? true }
    return parentOfSameActions._withUnsafeGuaranteedRef { $0.reduceDirectly(action) }
  }

  /// Performs the effects of an action here and at all ancestors. If ancestors have effects, they take the same
  /// actions.
  @inlinable @inline(__always)
  final func performDirectly(_ action: Action, trackedBy tracker: EffectTracker?) {
    functions.effects?(action, tracker)
    var next = parentOfSameActions
    while let station = next {
      station._withUnsafeGuaranteedRef {
        $0.functions.effects?(action, tracker)
        next = $0.parentOfSameActions
      }
    }
  }

  // MARK: The way in stages

  /// Runs the interceptors of this station, starting at a position. If the action passes, it continues to the station
  /// above.
  @inlinable @inline(__always)
  final func judgeHere(from position: inout StepPosition) -> Judgment {
    if functions.makeJudge != nil {
      let origin = position.origin._withUnsafeGuaranteedRef { ObjectIdentifier($0.address) }
      if judge?._withUnsafeGuaranteedRef({ ObjectIdentifier($0.origin) }) != origin {
        makeJudge(forActionsOf: position.origin)
      }
      let judgment = judge.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.judge(&action!, &position.number) }
      guard case .passed = judgment else { return judgment }
    }
    if tree.hasAddedFunctions {
      let judgment = judgeByAddedFunctions(from: &position)
      guard case .passed = judgment else { return judgment }
    }
    passOn(&position)
    return .passed
  }

  /// Makes the function of the interceptors for a new origin.
  @inlinable @inline(never)
  final func makeJudge(forActionsOf origin: Unmanaged<AnyStation>) {
    guard let makeJudge = functions.makeJudge else { return }
    let made = origin._withUnsafeGuaranteedRef { origin in
      OriginJudge(origin.address, makeJudge(Station<Action>.of(origin).makeDispatch()))
    }
    judge?.release()
    judge = .passRetained(made)
  }

  /// Passes the action to the station above, in the form that it has there.
  @inlinable @inline(__always)
  final func passOn(_ position: inout StepPosition) {
    position.number = 0
    position.added = 0
    if let parentOfSameActions {
      parentOfSameActions._withUnsafeGuaranteedRef { $0.action = action }
      position.station = .passUnretained(parentOfSameActions._withUnsafeGuaranteedRef { $0 as AnyStation })
    } else if let lift, let above {
      lift.deliver(action.unsafelyUnwrapped)
      position.station = .passUnretained(above)
      position.origin = .passUnretained(above)
    } else {
      position.station = nil
    }
  }

  /// Does the work of a stage at this station, and then at each one above until one returns `false`.
  @inlinable @inline(__always)
  final func visitAll(_ stage: StepStage) -> Bool {
    guard visit(stage) else { return false }
    return parent == nil || visitFurther(stage)
  }

  /// Does this station's work for a stage.
  @inlinable @inline(__always)
  final func visit(_ stage: StepStage) -> Bool {
    switch stage {
    case .failures: return functions.canFail?(action.unsafelyUnwrapped) == true
    case .reducers: return functions.reduce?(action.unsafelyUnwrapped) != false
    case .effects(let tracker): functions.effects?(action.unsafelyUnwrapped, tracker)
    case .end: action = nil
    }
    return true
  }

  // MARK: Saved steps

  override final var form: (any Sendable)? {
    get { action }
    set { action = (newValue as! Action) }
  }

  // MARK: Added functions

  private final var addedFunctions: AddedFunctions<Action>? {
    attachments.existing(AddedFunctions<Action>.self)?._withUnsafeGuaranteedRef { $0 }
  }

  @usableFromInline @inline(never)
  final func judgeByAddedFunctions(from position: inout StepPosition) -> Judgment {
    guard let addedFunctions else { return .passed }
    let dispatch = position.origin._withUnsafeGuaranteedRef {
      Station<Action>.of($0).makeDispatch()
    }
    return addedFunctions.judge(&action!, from: &position, at: self, dispatch)
  }

  override final func performAddedEffects(trackedBy tracker: EffectTracker?) {
    if let addedFunctions, let action {
      addedFunctions.performEffects(of: action, at: self, trackedBy: tracker, onEffectError)
    }
  }
}

/// The interceptors of a station, set up for actions of one origin: the `dispatch` that they receive sends there.
@usableFromInline
final class OriginJudge<Action: Sendable> {
  @usableFromInline let origin: Address
  @usableFromInline let judge: StationFunctions<Action>.Judge

  @inlinable
  init(_ origin: Address, _ judge: @escaping StationFunctions<Action>.Judge) {
    self.origin = origin
    self.judge = judge
  }
}

/// The way of a child's actions to the station of its parent.
@usableFromInline
package struct WayToParent<Action: Sendable>: Sendable {
  /// The parent, if it takes the child's actions unchanged.
  @usableFromInline let parent: Station<Action>?

  /// The way to a parent that takes other actions.
  @usableFromInline let lift: Lift<Action>?

  /// Receives the errors of the child's effects; nil if they are printed.
  @usableFromInline let onEffectError: EffectErrorHandler<Action>?

  @inlinable
  init(_ parent: Station<Action>?, _ lift: Lift<Action>?, onEffectError: EffectErrorHandler<Action>?) {
    self.parent = parent
    self.lift = lift
    self.onEffectError = onEffectError
  }

  /// Makes the way to a parent that takes the child's actions.
  @inlinable
  init(_ parent: Station<Action>) {
    self.init(parent, nil, onEffectError: parent.onEffectError)
  }

  /// Returns this way for a child whose actions are embedded in these.
  @inlinable
  package func embedded<ChildAction: Sendable>(
    by embed: @escaping @Sendable (ChildAction) -> Action
  ) -> WayToParent<ChildAction> {
    let lifted: Lift<ChildAction>? =
      if let parent {
        Lift(deliver: { parent.action = embed($0) }, reduce: { parent.reduceDirectly(embed($0)) })
      } else if let lift {
        Lift(deliver: { lift.deliver(embed($0)) }, reduce: { lift.reduce(embed($0)) })
      } else {
        nil
      }
    guard let onEffectError else { return WayToParent<ChildAction>(nil, lifted, onEffectError: nil) }
    return WayToParent<ChildAction>(nil, lifted) { key, action, error, cause in
      onEffectError(key, action.map(embed), error, cause)
    }
  }
}

/// The way from a station to one that takes other actions. The station's actions are embedded in those.
@usableFromInline
final class Lift<Action: Sendable>: Sendable {
  /// Passes the running action to the station above.
  @usableFromInline let deliver: @Sendable (Action) -> Void

  /// Reduces an action at the station above and further up, directly.
  @usableFromInline let reduce: @Sendable (Action) -> Bool

  @inlinable
  init(deliver: @escaping @Sendable (Action) -> Void, reduce: @escaping @Sendable (Action) -> Bool) {
    self.deliver = deliver
    self.reduce = reduce
  }
}
