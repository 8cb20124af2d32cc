package import Arbor

/// The root of a tree with a shared state: the confirmed state, the shown state, and the client's unconfirmed actions.
///
/// - The shown state is the confirmed state with the waiting actions reduced on top. The tree's steps change it. If actions of
///   other clients precede the waiting ones, those are reduced again, in a separate step with one notification.
/// - Interceptors run when an action is dispatched. Effects run when it is confirmed, with the confirmed state.
/// - Used on the tree's queue, once the tree is made.
package final class SharedRoot<State: Sendable, Action: Sendable>: @unchecked Sendable {
  // Sendable because only one serial queue uses it.

  /// An action that was shown and isn't confirmed yet.
  struct Waiting {
    let action: Action
    let cause: ActionCause

    /// Tracks the effects, for a caller who waits for them.
    var group: EffectGroup?

    /// `true` if the action belongs to the group until its effects begin.
    var isMember = false

    /// The state in which the action was first shown, if a caller waits for it.
    var shown: State?
  }

  /// An entry in the order on which all clients agree.
  package enum Entry: Sendable {
    /// The client's own action that has waited longest.
    case own(sender: ClientEffects.Client)

    /// Moves the client's own action that has waited longest to the end of the waiting ones.
    case postponed

    /// Another client's action, or one of this client's whose effects were performed before.
    case other(Action, sender: ClientEffects.Client)
  }

  /// A confirmed state that doesn't follow the previous one.
  package struct Snapshot: Sendable {
    let state: State

    /// The number of the client's own waiting actions that it includes.
    let own: Int

    /// The owners of the jobs in progress.
    let jobs: [String: ClientEffects.Client]

    package init(_ state: State, own: Int, jobs: [String: ClientEffects.Client]) {
      self.state = state
      self.own = own
      self.jobs = jobs
    }
  }

  /// The states after an action: when it was first shown, and when it was confirmed.
  package typealias Confirmation = (shown: State, confirmed: State)

  /// The root's place in its tree.
  struct Place {
    let address: NodeAddress
    let shown: StateBox<State>
    let reduceConfirmed: Reducer<State, Action>?
    let effects: FeatureEffects<Action>?
  }

  private let feature: Feature<State, Action>
  let sharing = ClientEffects()
  let confirmedBox: StateBox<State>

  /// Reduces actions outside the tree.
  let reduce: Reducer<State, Action>

  /// A client's own action as all other clients will reduce it, and a closure that stores it once it was shown.
  package typealias Logged = (action: Action, keep: () -> Void)

  /// Called before each reduction, and with nil after all of them. It notes them in a way that survives the process.
  let willReduce: @Sendable (Reduction?) -> Void

  /// Converts one of the client's own actions to the form that the log will have.
  private let makeLogged: @Sendable (Action) -> Logged

  /// The action that is being reduced, or was reduced last.
  private var logged: Logged?

  /// The place in the tree; nil until the tree is made.
  var place: Place?
  var waiting: [Waiting]

  /// `true` if no action will be confirmed any more.
  var isAbandoned = false

  /// The owners of the jobs that were in progress before the tree was made.
  private let firstJobs: [String: ClientEffects.Client]

  /// The incarnations of this client.
  var clients: Set<ClientEffects.Client>

  /// The owners of the jobs that are in progress.
  package var jobs: [String: ClientEffects.Client] { sharing.owners }

  /// The confirmed state.
  package var confirmed: State { confirmedBox.pointer.pointee }

  /// - Parameters:
  ///   - confirmed: The confirmed state.
  ///   - waiting: Own actions that were shown before the program ended, and aren't confirmed.
  ///   - jobs: The owners of the jobs in progress in the confirmed state.
  ///   - clients: The incarnations of this client.
  ///   - willReduce: Called before each reduction that the next start would repeat, and with nil after all of them. Called on
  ///     the tree's queue, and before the tree is made.
  ///   - makeLogged: Converts one of the client's own actions to the form that the log will have.
  ///     Called on the tree's queue, before the reduction.
  package init(
    _ feature: Feature<State, Action>,
    confirmed: State,
    waiting: [Action],
    jobs: [String: ClientEffects.Client],
    of clients: Set<ClientEffects.Client>,
    willReduce: @escaping @Sendable (Reduction?) -> Void,
    makeLogged: @escaping @Sendable (Action) -> Logged
  ) {
    self.feature = feature
    confirmedBox = StateBox(confirmed)
    reduce = feature.makeReducerBesideTree()
    self.waiting = waiting.map { Waiting(action: $0, cause: .outside) }
    self.willReduce = willReduce
    self.makeLogged = makeLogged
    firstJobs = jobs
    self.clients = clients
  }

  /// Returns the state to show: the confirmed state with the waiting actions reduced on top.
  ///
  /// - Parameter willReduce: Called before each waiting action, with its index.
  func makeShown(_ willReduce: (Int) -> Void) -> State {
    var state = confirmed
    for index in waiting.indices {
      willReduce(index)
      reduce(&state, waiting[index].action)
    }
    return state
  }

  /// The feature of the tree's root. Use it once, with ``makeFirstShown()`` as the initial state.
  package var rootFeature: Feature<State, Action> {
    Feature(making: { [self] place in functions(at: place) })
  }

  private func functions(at place: FeaturePlace<State, Action>) -> FeatureFunctions<State, Action> {
    guard let shownPlace = EffectPlace(place) else { return feature.make(place) }
    guard case .own(let shownBox) = shownPlace.state else { preconditionFailure("a root owns its state") }
    let shown = feature.make(place)
    let confirmed = feature.make(
      EffectPlace(at: place.address, .own(confirmedBox), shownPlace.targets, sharing: sharing).featurePlace
    )
    self.place = Place(
      address: place.address,
      shown: shownBox,
      reduceConfirmed: confirmed.reducer,
      effects: confirmed.effects
    )
    let reducer = shown.reducer.map { reduce -> Reducer<State, Action> in
      { [self] state, action in
        let logged = makeLogged(action)
        self.logged = logged
        // The logged action isn't the one whose parts scoped features may have stored.
        place.address.tree.noteOtherAction()
        reduce(&state, logged.action)
      }
    }
    let perform: @Sendable (Action, ElementKey?, EffectGroup?) -> Void = { [self] action, _, group in
      note(logged.take() ?? makeLogged(action), group)
    }
    return FeatureFunctions(
      reducer: reducer,
      interceptors: shown.interceptors,
      // The effects of shown actions aren't performed.
      effects: PlacedEffects(begin: begin, perform: perform, update: nil).featureEffects
    )
  }

  /// Begins the state effects that this client had in progress.
  @Sendable
  private func begin() {
    append { root, place in
      root.performEffects(withJobsOf: root.firstJobs, hasOwn: false, at: place)
    }
  }

  /// Calls a body on the tree's queue, after everything accepted before. Returns `false` if the tree is gone.
  @discardableResult
  func append(_ body: @escaping @Sendable (SharedRoot, Place) -> Void) -> Bool {
    guard let place else { return false }
    return place.address.tree.append(at: place.address, .effect(of: nil)) { [self] _ in body(self, place) }
  }

  // MARK: Own actions

  private func note(_ logged: Logged, _ group: EffectGroup?) {
    var waiting = Waiting(action: logged.action, cause: place?.address.tree.cause ?? .outside, group: group)
    if isAbandoned {
      waiting.group = nil
    } else if let group, group.enter() {
      // The membership ends after the action's effects, which run when it is confirmed.
      waiting.isMember = true
      group.whenCancelled { [weak self, weak group] in
        guard let self, let group else { return }
        append { root, _ in root.leave(group) }
      }
    }
    if let waiter = group?.waiter as? ConfirmationWaiter<Confirmation> {
      waiter.isNoted = true
      if isAbandoned { waiter.complete(nil) } else { waiting.shown = place?.shown.pointer.pointee }
    }
    self.waiting.append(waiting)
    logged.keep()
  }

  /// Ends the wait of a caller who has canceled it. The action remains, without the tasks of its effects.
  private func leave(_ group: EffectGroup) {
    guard let index = waiting.firstIndex(where: { $0.group === group && $0.isMember }) else { return }
    waiting[index].isMember = false
    group.leave(isCancelled: true)
  }

  /// Sends an action, and calls a closure with the resulting states when it is confirmed.
  ///
  /// - Parameters:
  ///   - didStep: Called after the action's turn, with `false` if it wasn't a step. Then it will not be confirmed.
  ///   - completion: Called once; with nil if the tree is released first, or if confirmations are abandoned.
  package func dispatch(
    _ action: Action,
    to store: Store<State, Action>,
    didStep: @escaping @Sendable (Bool) -> Void,
    completion: @escaping @Sendable (Confirmation?) -> Void
  ) {
    let waiter = ConfirmationWaiter(completion)
    let isAccepted = store.dispatch(action, trackedBy: EffectGroup(for: waiter)) { didStep(waiter.isNoted) }
    if !isAccepted { didStep(false) }
    store.tree?.taskWaits()
  }

  // MARK: The tree

  /// Sends an activity to the root, unless the tree is gone.
  package func emit(_ activity: some Sendable) {
    _ = place?.address.emit(activity)
  }

  /// Starts a task with the tree's executor.
  package func startTask(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
    place?.address.tree.executor.startTask(priority: nil, body)
  }

  /// Runs work after a duration on the tree's clock.
  ///
  /// - Returns: A closure that cancels the work.
  package func schedule(after duration: Duration, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard let tree = place?.address.tree else { return {} }
    return tree.executor.schedule(after: duration, on: tree.clock, work)
  }

  /// Returns a stopwatch that starts with this call, on the tree's clock.
  package func stopwatch() -> @Sendable () -> TreeTime {
    TreeTime.stopwatch(on: place?.address.tree.clock ?? ContinuousClock())
  }
}

/// The completion of a caller that waits for the confirmation of an action. It lives as long as the group of the action's
/// effects.
final class ConfirmationWaiter<Confirmation: Sendable>: @unchecked Sendable {
  // Sendable because a lock guards the completion, and the flag is only used on the tree's queue.

  private let completion: Protected<(@Sendable (Confirmation?) -> Void)?>

  /// `true` once the action was reduced.
  var isNoted = false

  init(_ completion: @escaping @Sendable (Confirmation?) -> Void) {
    self.completion = Protected(completion)
  }

  /// Calls the completion, unless it was already called.
  func complete(_ confirmation: Confirmation?) {
    completion.withLock { $0.take() }?(confirmation)
  }

  deinit {
    complete(nil)
  }
}
