public import Dispatch

/// Owns the root of a tree of stores: the program's state, its reducer and its side effects.
///
/// ```swift
/// let factory = StoreFactory<AppState, AppAction>(initialState: AppState()) { state, action in
///   state.reduce(action)
/// }
/// let store = factory.rootStore()
/// ```
///
/// - The tree has one mailbox and one serial dispatch queue, on which interceptors, reducers and observers run.
/// - The tree lives as long as its factory or any ``StoreObject`` made from it. What was accepted before is reduced in any
///   case.
/// - Capturing the factory in its own interceptor or observer would keep both alive forever: capture ``rootStore()``.
public final class StoreFactory<State: Sendable, Action: Sendable>: StoreProtocol, Sendable {
  @usableFromInline let owner: Owner
  @usableFromInline let root: Store<State, Action>

  /// Makes a tree with its root.
  ///
  /// - Parameters:
  ///   - initialState: The root's state at the start.
  ///   - interceptor: Sees each action before the reducers; side effects may start here. Its `dispatch` sends actions to the
  ///     store where the action was dispatched, behind what is already waiting; from any thread, at any later time, and
  ///     silently does nothing once that store is gone. An action that was dispatched to a child of another action type
  ///     comes with the `dispatch` of the nearest store above it that takes this one.
  ///   - interceptors: Judge each action, in order, behind the plain closure; see ``Interceptor``.
  ///   - effects: What an action sets off; asked after the reducers with the new state, before the observers. See ``Effect``.
  ///   - stateEffects: Work that is a function of state; see ``StateEffect``.
  ///   - qos: The quality of service of the tree's queue.
  ///   - clock: What intervals of deliveries, modes of tasks and delays between attempts are measured on.
  ///   - onEffectError: Called with each error that the task of an effect throws, here or in a child; with the task's key, and
  ///     the action that set it off: nil for a ``StateEffect``. From any thread. Without it, a line goes to standard error.
  ///   - monitors: See what the tree does; see ``StoreMonitor``.
  ///   - reducer: Changes the state.
  @inlinable
  public convenience init(
    initialState: State,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    interceptors: [Interceptor<State, Action>] = [],
    effects: (@Sendable (_ state: State, _ action: Action) -> Effect<Action>)? = nil,
    stateEffects: [StateEffect<State, Action>] = [],
    qos: DispatchQoS = .userInteractive,
    clock: any Clock<Duration> = ContinuousClock(),
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)? =
      nil,
    monitors: [any StoreMonitor] = [],
    reducer: @escaping Reducer<State, Action>
  ) {
    self.init(
      initialState: initialState,
      NodeBehavior(
        interceptor: interceptor,
        interceptors: interceptors,
        effects: effects,
        stateEffects: stateEffects
      ),
      TreeSettings(
        qos: qos,
        clock: clock,
        onEffectError: onEffectError,
        monitors: monitors,
        executor: QueueExecutor()
      ),
      reducer: reducer
    )
  }

  @inlinable
  package convenience init(
    initialState: State,
    _ behavior: NodeBehavior<State, Action>,
    _ settings: TreeSettings<Action>,
    reducer: @escaping Reducer<State, Action>
  ) {
    self.init(
      initialState: initialState,
      behavior,
      settings,
      commitsInPlace: false,
      canFail: Mutation<State>.canFail(as: Action.self)
    ) { box, tree in
      guard let canFail = Mutation<State>.canFail(as: Action.self) else {
        return { action in
          reducer(&box.pointer.pointee, action)
          return true
        }
      }
      // A change that does not take place is no step, whatever else the reducer has changed beside it.
      return { action in
        let before = tree.runningActionCanFail || canFail(action) ? box.pointer.pointee : nil
        reducer(&box.pointer.pointee, action)
        if let before, tree.writeOutcome == .failed { box.pointer.pointee = before }
        return true
      }
    }
  }

  /// - Parameters:
  ///   - lendsState: `true` if actions are nothing but changes of the state.
  ///   - canFail: Says whether an action may turn out to be no step; nil if none does.
  ///   - makeReduce: Makes the function that reduces an action, and says whether that is a step.
  @inlinable
  init(
    initialState: State,
    _ behavior: NodeBehavior<State, Action>,
    _ settings: TreeSettings<Action>,
    commitsInPlace: Bool,
    canFail: (@Sendable (Action) -> Bool)?,
    reduce makeReduce: (StateBox<State>, Tree) -> @Sendable (Action) -> Bool
  ) {
    let box = StateBox(initialState)
    let tree = Tree(
      quality: settings.qos,
      clock: settings.clock,
      executor: settings.executor,
      listener: Monitoring(settings.monitors, clock: settings.clock)
    )
    let monitored = settings.monitors.isEmpty ? nil : MonitoredStore(below: nil, State.self)
    let address = NodeAddress(on: tree, quality: settings.qos, monitored: monitored)
    root = Store(at: address)
    let onEffectError = settings.onEffectError
    let report: @Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void = { key, action, error in
      guard let onEffectError else { return EffectPerformer<State, Action>.printToStandardError(error, of: key) }
      onEffectError(key, action, error)
    }
    let performer = EffectPerformer(
      effects: behavior.effects,
      stateEffects: behavior.stateEffects,
      of: box,
      at: address,
      root.sink,
      report: report
    )
    let node = StateNode<State, Action>(
      at: address,
      dispatch: root.sink.dispatch,
      parent: nil,
      read: { box.pointer.pointee },
      reduce: makeReduce(box, tree),
      writeInPlace: commitsInPlace ? box.write(with:) : nil,
      canFail: canFail,
      interceptors: InterceptorChain(
        behavior.interceptor, behavior.interceptors, at: address, read: box.read(on: tree)),
      effects: EffectPerformer.makePerform(performer, above: nil),
      report: report,
      notifyFromRoot: { root in
        unsafeDowncast(root, to: StateNode<State, Action>.self).notify(fromRoot: box.held.pointee)
      }
    )
    // From here on others may know it.
    owner = Owner(of: address, parent: nil)
    node.registerWithMonitors { box.pointer.pointee }
    node.open()
    performer?.begin()
  }

  /// The root's store, as ``rootStore()``.
  public var asStore: Store<State, Action> { root }

  /// The root's store. Every call gives the same store, as far as observers are concerned.
  public func rootStore() -> Store<State, Action> {
    root
  }

  /// A store of a part of the root's state, as ``StoreProtocol/scope(to:)``.
  @inlinable
  public func scopeStore<Part: Sendable>(
    to project: @escaping @Sendable (_ state: State) -> Part
  ) -> Store<Part, Action> {
    root.scope(to: project)
  }

  /// A store of a part that is there at times, as ``StoreProtocol/scope(toOptional:)``.
  @_disfavoredOverload
  @inlinable
  public func scopeStore<Part: Sendable>(
    toOptional project: @escaping @Sendable (_ state: State) -> Part?
  ) -> Store<Part, Action> {
    root.scope(toOptional: project)
  }
}

/// The settings of a tree.
@usableFromInline
package struct TreeSettings<Action: Sendable>: Sendable {
  @usableFromInline let qos: DispatchQoS
  @usableFromInline let clock: any Clock<Duration>
  @usableFromInline let onEffectError: (@Sendable ((any Hashable & Sendable)?, Action?, any Error) -> Void)?
  @usableFromInline let monitors: [any StoreMonitor]
  @usableFromInline let executor: any TreeExecutor

  @inlinable
  package init(
    qos: DispatchQoS,
    clock: any Clock<Duration>,
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)?,
    monitors: [any StoreMonitor],
    executor: any TreeExecutor
  ) {
    self.qos = qos
    self.clock = clock
    self.onEffectError = onEffectError
    self.monitors = monitors
    self.executor = executor
  }
}
