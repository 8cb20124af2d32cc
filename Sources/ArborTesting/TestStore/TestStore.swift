public import Arbor
internal import ArborDiff

/// A store for tests: the test states the effect of each action, and every deviation is reported.
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
/// - **Production engine.** A ``ManualExecutor`` steps the same engine that runs in production, with the same order and
///   the same laws, but without threads or waiting.
/// - **Held actions.** An action that an interceptor, an effect, an observer or other code dispatches is held until the
///   test receives it, and is reduced only then. While an action is held, nothing else in its tree runs, so that you
///   can assert each action at its step. Work in a tree of another test store, or on another queue, continues.
/// - **Steps.** Before each call returns, it runs all work that can run, on the caller's actor: deliveries, activities,
///   timers that have fired, parts of effects. If there are deliveries to the main actor, run the test on the main
///   actor.
/// - **Failures.** A failure is recorded once, at the caller's line, and the test continues with the actual state. This
///   works with Swift Testing and XCTest; without either, a failure stops the program.
/// - **Comparison.** States, and actions and activities that are received by value, are compared by `==`.
///   ``/Arbor/Stamped`` values are compared by their content, not by their stamps. If values are equal by `==` but have
///   parts that differ, a warning is recorded.
/// - Use it from one task. Other stores may share its executor; their steps are run as well.
public final class TestStore<State: Equatable & Sendable, Action: Sendable> {
  package let tree: TestTree
  let base: Store<State, Action>
  let view: StateView<State>

  /// Returns the action of this store in a held action; nil if there is none.
  let extract: (any Sendable) -> Action?

  /// The places of the state's parts in memory; nil until a state has been compared.
  var layout: StateLayout<State>?

  /// The owner of the store's node, which is released before the tree is notified.
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

  /// Makes a tree of stores for a test, from the arguments of a ``/Arbor/StoreFactory``.
  ///
  /// - Parameters:
  ///   - initialState: The root's state at the start.
  ///   - interceptor: The interceptor of the root, as for a factory.
  ///   - interceptors: The interceptors of the root, as for a factory.
  ///   - effects: The effects of the root, as for a factory.
  ///   - stateEffects: The state effects of the root, as for a factory.
  ///   - clock: The clock of delays: a ``TestClock`` that the test moves, or an ``ImmediateClock``. If you omit it,
  ///     time stands still.
  ///   - onEffectError: Receives each error that the task of an effect throws. If you omit it, the error is a failure.
  ///   - monitors: The monitors of the tree.
  ///   - executor: The executor that runs the tree; by default a separate one, which runs steps in the order they
  ///     arrive.
  ///   - exhaustivity: The extent to which the test must account for what happens.
  ///   - timeout: The longest time to wait, in real time, for effects that have left the executor, for example to run
  ///     on another actor or to wait for a callback.
  ///   - fileID: The file of the call, where a failure is recorded.
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

  /// Makes a tree of stores for a test, whose root has a feature.
  ///
  /// - Parameters:
  ///   - initialState: The root's state at the start.
  ///   - feature: Everything that the root does.
  ///   - clock: The clock of delays: a ``TestClock`` that the test moves, or an ``ImmediateClock``. If you omit it,
  ///     time stands still.
  ///   - onEffectError: Receives each error that the task of an effect throws. If you omit it, the error is a failure.
  ///   - monitors: The monitors of the tree.
  ///   - executor: The executor that runs the tree; by default a separate one, which runs steps in the order they
  ///     arrive.
  ///   - exhaustivity: The extent to which the test must account for what happens.
  ///   - timeout: The longest time to wait, in real time, for effects that have left the executor.
  ///   - fileID: The file of the call, where a failure is recorded.
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
  /// Makes a tree of commit stores for a test.
  ///
  /// - A `commitLater` is held until the test receives it:
  ///   `await store.receive(where: { $0.name == "rename()" }) { … }`.
  /// - A `commit` cannot be held, because its caller waits; see
  ///   ``during(_:fileID:filePath:line:column:isolation:expect:)``.
  /// - Parameters:
  ///   - initialState: The state before the first commit.
  ///   - feature: Everything that the root does apart from its commits. Its reducer is the middleware. By default, it
  ///     does nothing.
  ///   - clock: The clock of delays: a ``TestClock`` that the test moves, or an ``ImmediateClock``. If you omit it,
  ///     time stands still.
  ///   - onEffectError: Receives each error that the task of an effect throws. If you omit it, the error is a failure.
  ///   - monitors: The monitors of the tree.
  ///   - executor: The executor that runs the tree; by default a separate one, which runs steps in the order they
  ///     arrive.
  ///   - exhaustivity: The extent to which the test must account for what happens.
  ///   - timeout: The longest time to wait, in real time, for effects that have left the executor.
  ///   - fileID: The file of the call, where a failure is recorded.
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
