public import Arbor
internal import ArborDiff

/// A store whose test says what each action does, and is told exactly what it does else.
///
/// ```swift
/// let store = TestStore(initialState: Counter(), effects: counterEffects) { state, action in state.reduce(action) }
/// await store.send(.increment) { $0.count = 1 }
/// await store.send(.load) { $0.isLoading = true }
/// await store.receive(.loaded(7)) {
///   $0.isLoading = false
///   $0.count = 7
/// }
/// await store.finish()
/// ```
///
/// - **The engine is the one that ships**, stepped by a ``ManualExecutor``: the same order, the same laws, no threads and no waiting.
/// - An action that an interceptor, an effect, an observer or anyone else dispatches is **held** until the test receives it, and reduced
///   then, not earlier. While an action is held nothing else of its tree is run: so each is asserted in the moment of its step. Work in a
///   tree of another test store, or on another queue, runs on.
/// - Each call runs all that can be run before it returns, on the caller's actor: deliveries, activities, timers that have rung, parts of
///   effects. A test with deliveries to the main actor is a test on the main actor.
/// - A failure is recorded at the caller's line, once, and the test goes on with the state as it is. It works with Swift Testing and
///   XCTest; without either, a failure stops the program.
/// - Verdicts are those of `==`: of states, and of actions and activities that are received by value. Of ``/Arbor/Stamped`` values it
///   compares what they hold: a stamp is no difference. What says equal and has parts that differ is told, as a warning.
/// - It is used by one task. Its executor may be shared with other stores: their steps are run as well.
public final class TestStore<State: Equatable & Sendable, Action: Sendable> {
  let tree: TestTree
  let base: Store<State, Action>
  let view: StateView<State>

  /// Makes an action of this store of one that is held; nil if it is none.
  let extract: (any Sendable) -> Action?

  /// The places of the state's parts in memory; nil until a state was compared.
  var layout: StateLayout<State>?

  /// The owner of the store's node: released before the tree is told.
  private var owner: AnyObject?

  init(
    _ base: Store<State, Action>,
    owner: AnyObject,
    in tree: TestTree,
    view: StateView<State>,
    extract: @escaping (any Sendable) -> Action? = { $0 as? Action }
  ) {
    self.base = base
    self.owner = owner
    self.tree = tree
    self.view = view
    self.extract = extract
  }

  deinit {
    owner = nil
  }

  /// Makes a tree of stores to be tested, from what a ``/Arbor/StoreFactory`` is made from.
  ///
  /// - Parameters:
  ///   - initialState: The root's state at the start.
  ///   - interceptor: As the factory's.
  ///   - interceptors: As the factory's.
  ///   - effects: As the factory's.
  ///   - stateEffects: As the factory's.
  ///   - clock: As the factory's: a ``TestClock`` that the test moves, or an ``ImmediateClock``. Without one, time stands still.
  ///   - onEffectError: As the factory's. Without it, an error that an effect throws is a failure.
  ///   - monitors: As the factory's.
  ///   - executor: The executor that runs the tree; by default one of its own, which runs what came first first.
  ///   - exhaustivity: The extent to which the test must account for what happens.
  ///   - timeout: The longest time to wait, in real time, for effects that have left the executor: for another actor, or a callback.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - reducer: Changes the state.
  public convenience init(
    initialState: State,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    interceptors: [Interceptor<State, Action>] = [],
    effects: (@Sendable (_ state: State, _ action: Action) -> Effect<Action>)? = nil,
    stateEffects: [StateEffect<State, Action>] = [],
    clock: (any Clock<Duration>)? = nil,
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)? =
      nil,
    monitors: [any StoreMonitor] = [],
    executor: ManualExecutor? = nil,
    exhaustivity: Exhaustivity = .on,
    timeout: Duration = .seconds(5),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    reducer: @escaping Reducer<State, Action>
  ) {
    self.init(
      initialState: initialState,
      feature: Feature(
        interceptor: interceptor,
        interceptors: interceptors,
        effects: effects,
        stateEffects: stateEffects,
        reducer: reducer
      ),
      clock: clock,
      onEffectError: onEffectError,
      monitors: monitors,
      executor: executor,
      exhaustivity: exhaustivity,
      timeout: timeout,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }

  /// Makes a tree of stores to be tested, whose root does what a feature says; in all else as the initializer with a reducer.
  ///
  /// - Parameters:
  ///   - initialState: The root's state at the start.
  ///   - feature: Everything that the root does.
  ///   - clock: The clock of delays: a ``TestClock`` that the test moves, or an ``ImmediateClock``. Without one, time
  ///     stands still.
  ///   - onEffectError: Receives each error that the task of an effect throws. Without it, the error is a failure.
  ///   - monitors: Receive what happens in the tree.
  ///   - executor: The executor that runs the tree; by default one of its own, which runs what came first first.
  ///   - exhaustivity: The extent to which the test must account for what happens.
  ///   - timeout: The longest time, in real time, for which effects are waited for that have left the executor.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public convenience init(
    initialState: State,
    feature: Feature<State, Action>,
    clock: (any Clock<Duration>)? = nil,
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)? =
      nil,
    monitors: [any StoreMonitor] = [],
    executor: ManualExecutor? = nil,
    exhaustivity: Exhaustivity = .on,
    timeout: Duration = .seconds(5),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let setup = TestSetup(clock: clock, executor: executor, exhaustivity: exhaustivity, timeout: timeout, place: place)
    let settings = setup.treeSettings(monitors: monitors, onEffectError: onEffectError)
    self.init(StoreFactory(initialState: initialState, feature: feature, settings: settings), setup)
  }

  convenience init(_ factory: StoreFactory<State, Action>, _ setup: TestSetup) {
    let root = factory.rootStore()
    self.init(root, owner: factory, in: TestTree(root.tree!, setup), view: StateView(ownOf: root.monitored))
    tree.settle()
  }
}

extension TestStore where Action == Mutation<State> {
  /// Makes a tree of stores to be tested that is changed by commits; in all else as the initializer with a reducer.
  ///
  /// - A `commitLater` is held until the test receives it: `await store.receive(where: { $0.name == "rename()" }) { … }`.
  /// - A `commit` cannot be held, as its caller waits: see ``during(_:fileID:filePath:line:column:isolation:expect:)``.
  /// - Parameters:
  ///   - initialState: The state before the first commit.
  ///   - feature: Everything that the root does beside its commits; its reducer is the middleware. By default nothing.
  ///   - clock: The clock of delays: a ``TestClock`` that the test moves, or an ``ImmediateClock``. Without one, time
  ///     stands still.
  ///   - onEffectError: Receives each error that the task of an effect throws. Without it, the error is a failure.
  ///   - monitors: Receive what happens in the tree.
  ///   - executor: The executor that runs the tree; by default one of its own, which runs what came first first.
  ///   - exhaustivity: The extent to which the test must account for what happens.
  ///   - timeout: The longest time, in real time, for which effects are waited for that have left the executor.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public convenience init(
    initialState: State,
    feature: Feature<State, Action> = Feature(),
    clock: (any Clock<Duration>)? = nil,
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)? =
      nil,
    monitors: [any StoreMonitor] = [],
    executor: ManualExecutor? = nil,
    exhaustivity: Exhaustivity = .on,
    timeout: Duration = .seconds(5),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let setup = TestSetup(clock: clock, executor: executor, exhaustivity: exhaustivity, timeout: timeout, place: place)
    let settings = setup.treeSettings(monitors: monitors, onEffectError: onEffectError)
    self.init(StoreFactory(initialState: initialState, feature: feature, settings: settings), setup)
  }
}
