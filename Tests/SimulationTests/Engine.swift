import Arbor
import Dispatch

/// The engine, on an executor that a schedule steps, as a world for playing the schedule.
final class Engine: SimulatedWorld, @unchecked Sendable {  // The executor runs everything on the calling thread.
  var occurrences: [Occurrence] = []
  var alive: UInt64 = 0

  /// The number of actions' objects in memory.
  var actions = 0
  var scripts: Scripts

  let executor: SimulatedExecutor
  private var owners: [AnyObject?]
  var stores: [(any SimulatedStore)?]
  private var roots: [any SimulatedStore] = []

  /// The children that are being made: another thread may interrupt to make the same one.
  private var unfinished: Set<Int> = []

  /// The latest action that each tree has reduced.
  var latest: [Int32]
  private var observers: [Observer<SimulatedState>?]
  private var completions: [Observer<SimulatedState>.StatusHandler?]
  private var dying: [Bool]
  var contexts: [((Int) -> Void)?]
  var observations: [StoreSubscription?]
  var deriveds: [(any SimulatedValue)?]
  var selectors: [StateSelector<SimulatedState, Int>?]
  var screens: [(any SimulatedScreen)?]
  var appliers: [StoreSubscription?]
  private var additions: [StoreSubscription?]

  /// The decisions about actions that interceptors hold, in order, by the numbers of the actions.
  var held: [Int: [(Decision) -> Void]] = [:]

  /// The cancellations of the tasks last started by an operation, by the numbers of their programs.
  private var tasks: [(() -> Void)?]

  /// The tasks that wait at gates, in order.
  var gates: [Sleeper] = []

  init(_ inventory: WorldInventory, _ chance: Chance) {
    scripts = Scripts(inventory.scripts)
    executor = SimulatedExecutor(chance: chance)
    owners = Array(repeating: nil, count: inventory.limit)
    stores = Array(repeating: nil, count: inventory.limit)
    latest = Array(repeating: 0, count: inventory.limit)
    observers = Array(repeating: nil, count: inventory.limit)
    completions = Array(repeating: nil, count: inventory.limit)
    dying = Array(repeating: false, count: inventory.limit)
    contexts = Array(repeating: nil, count: inventory.limit)
    observations = Array(repeating: nil, count: inventory.limit)
    deriveds = Array(repeating: nil, count: inventory.limit)
    selectors = Array(repeating: nil, count: inventory.limit)
    screens = Array(repeating: nil, count: inventory.limit)
    appliers = Array(repeating: nil, count: inventory.limit)
    additions = Array(repeating: nil, count: inventory.limit)
    tasks = Array(repeating: nil, count: inventory.limit)
  }

  deinit { executor.end() }

  /// `true` if nothing waits for anything.
  var isAtRest: Bool { gates.isEmpty && executor.isAtRest }

  /// `true` if nothing waits for anything, but an action is still in memory.
  var keepsAction: Bool { actions > 0 && isAtRest && entries == 0 && held.values.allSatisfy(\.isEmpty) }

  var waiting: [Label] { executor.waiting }

  var entries: Int { roots.reduce(0) { $0 + $1.storeTree.waiting } }

  func note(_ kind: Occurrence.Kind, _ place: Int, _ detail: Int32 = 0, _ digest: UInt64 = 0) {
    occurrences.append(Occurrence(kind: kind, place: Int32(place), detail: detail, digest: digest))
  }

  // MARK: Operations

  func perform(_ operation: Operation, number: Int) {
    executor.begin(operation: number)
    perform(operation)
  }

  func perform(_ operation: Operation) {
    switch operation {
    case .makeTree(let number, let plan): makeTree(number, plan)
    case .makeChild(let number, let base, let plan): makeChild(number, base, plan)
    case .makeScope(let number, let base, let projection):
      if stores[number] == nil { stores[number] = stores[base]?.makeScope(number, projection) }
    case .release(let node): release(node)
    case .dispatch(let script, let store): stores[store]?.dispatch(script.number)
    case .dispatchBatch(let scripts, let store): stores[store]?.dispatch(batch: scripts.map(\.number))
    case .dispatchAndWait(let script, let store): dispatchAndWait(script, store)
    case .dispatchAsInterceptor(let script, let node): contexts[node]?(script.number)
    case .readState(let store): readState(store)
    case .addInterceptor(let number, let store):
      addInterceptor(number, store)
    case .removeInterceptor(let number): additions[number].take()?.cancel()
    case .decide(let action, let decision): decide(action, decision)
    case .subscribe(let observer, let store): stores[store]?.subscribe(self.observer(observer))
    case .subscribeOnce(let observer, let store, let token):
      stores[store]?.subscribe(makeObserver(observer, EngineToken(token, in: self)))
    case .end(let observer):
      if observer.isCompletingObserver { completions[observer]?(.dead) } else { dying[observer] = true }
    case .observe(let number, let source, let delivery, let initial, let token):
      observe(number, source, delivery, initial: initial, token)
    case .cancelObservation(let number): observations[number]?.cancel()
    case .keepObservation(let number): observations[number]?.storeWhileSourceActive()
    case .dropObservation(let number):
      let observation = observations[number].take()
      withExtendedLifetime(observation) {}
    case .derive(let number, let store, let modulus): derive(number, store, modulus)
    case .combine(let number, let first, let second): combine(number, first, second)
    case .map(let number, let base, let modulus): map(number, base, modulus)
    case .deriveSelected(let number, let selector, let store): deriveSelected(number, selector, store)
    case .select(let number, let store): select(number, store)
    case .dropSelector(let number):
      let selector = selectors[number].take()
      withExtendedLifetime(selector) {}
    case .readValue(let number): if let derived = deriveds[number] { note(.read, number, Int32(derived.number)) }
    case .dropDerived(let number):
      let derived = deriveds[number].take()
      withExtendedLifetime(derived) {}
    case .task(let store, let key, let mode, let program): startTask(store, key, mode, program)
    case .cancelTask(let program): tasks[program]?()
    case .cancelKey(let key, let part, let store): stores[store]?.cancel(key, at: part)
    case .cancelAllTasks(let store): stores[store]?.cancelAllTasks()
    case .isRunning(let key, let store): isRunning(key, store)
    case .open(let gate): for sleeper in gates where sleeper.gate == gate { sleeper.wake() }
    case .screen(let operation): if executor.isOnMain { MainActor.assumeIsolated { perform(operation) } }
    case .elsewhere(let operation): executor.runElsewhere { [unowned self] in perform(operation) }
    case .gated(let tree, let operations): performGated(operations, tree)
    case .advance(let duration): executor.advance(by: duration)
    case .step(let choice): note(.stepped, executor.step(choice) ? 1 : 0)
    case .run: executor.run()
    }
  }

  private func decide(_ action: Int, _ decision: Decision) {
    guard held[action]?.isEmpty == false, let decide = held[action]?.removeFirst() else { return }
    decide(decision)
  }

  private func makeTree(_ number: Int, _ plan: NodePlan) {
    guard stores[number] == nil else { return }
    executor.making = number
    let state = initialState(of: number, in: number, plan)
    if plan.isOfCommits {
      let factory = StoreFactory<SimulatedState, Mutation<SimulatedState>>(
        initialState: state,
        feature: feature(of: number, plan, reducer: plan.hasMiddleware ? middleware(of: number) : nil),
        qos: .utility,
        settings: treeSettings(of: number, plan)
      )
      add(number, TypedStore(factory.rootStore(), in: number, self), factory)
    } else {
      let factory = StoreFactory<SimulatedState, SimulatedAction>(
        initialState: state,
        feature: SimulatedAction.feature(of: number, plan, in: self),
        qos: .utility,
        settings: treeSettings(of: number, plan)
      )
      add(number, TypedStore(factory.rootStore(), in: number, self), factory)
    }
    roots.append(stores[number]!)
    executor.number(of: stores[number]!.storeTree)
  }

  private func treeSettings(of tree: Int, _ plan: NodePlan) -> TreeSettings {
    TreeSettings(monitors: monitors(of: tree, plan), onEffectError: report(), executor: executor)
  }

  private func monitors(of tree: Int, _ plan: NodePlan) -> [any StoreMonitor] {
    guard let token = plan.monitor else { return [] }
    let monitor = SimulatedMonitor(tree, EngineToken(token, in: self), in: self)
    return SimulatedFollower.follows(tree) ? [monitor, SimulatedFollower(tree, in: self)] : [monitor]
  }

  private func add(_ number: Int, _ store: any SimulatedStore, _ owner: AnyObject) {
    stores[number] = store
    owners[number] = owner
  }

  private func makeChild(_ number: Int, _ base: Int, _ plan: NodePlan) {
    guard stores[number] == nil, let base = stores[base], unfinished.insert(number).inserted else { return }
    let child = base.makeChild(number, plan)
    add(number, child.store, child.owner)
    unfinished.remove(number)
  }

  private func addInterceptor(_ number: Int, _ store: Int) {
    guard additions[number] == nil, let addition = stores[store]?.addInterceptor(number) else { return }
    // Another thread may have added one of the same number meanwhile.
    if additions[number] == nil { additions[number] = addition } else { addition.cancel() }
  }

  private func release(_ node: Int) {
    // Remove it from the array before it is released, because its end may call this again.
    let owner = owners[node].take()
    withExtendedLifetime(owner) {}
  }

  private func dispatchAndWait(_ script: Script, _ store: Int) {
    guard let store = stores[store], !executor.isBusy(store.storeTree) else { return }
    store.dispatchAndWait(script.number)
  }

  private func readState(_ number: Int) {
    guard let store = stores[number] else { return }
    read(in: store.storeTree) {
      let state = store.read()
      note(.answered, number, state?.digest.count ?? -1, state?.digest.all ?? 0)
    }
  }

  private func performGated(_ operations: [Operation], _ number: Int) {
    guard let tree = stores[number]?.storeTree, !executor.isBusy(tree) else { return }
    tree.runBetweenEntries(for: "gate") { if tree.gate == nil { tree.closeGate(SimulatedGate(of: tree)) } }
    for operation in operations { perform(operation) }
    tree.runBetweenEntries(for: "gate") { tree.openGate() }
  }

  private func startTask(_ number: Int, _ key: Int?, _ mode: Mode, _ program: Program) {
    guard let store = stores[number] else { return }
    tasks[program.number] = store.task(key: key, mode, program)
  }

  private func isRunning(_ key: Int, _ number: Int) {
    guard let store = stores[number] else { return }
    read(in: store.storeTree) { note(.running, number, store.isRunning(key) ? 1 : 0) }
  }

  func read(in tree: Tree, _ look: () -> Void) {
    if tree.isInside || !executor.isBusy(tree) { look() }
  }

  // MARK: Callbacks

  /// Runs the reactions in a callback, in which another thread may interrupt.
  func react(to action: Int32, at place: Place) {
    executor.preempt(rarity: 8)
    for operation in scripts.operations(about: action, at: place) { perform(operation) }
  }

  func initialState(of node: Int, in tree: Int, _ plan: NodePlan) -> SimulatedState {
    var state = SimulatedState(
      Digest(tree: Int32(tree)),
      parts: plan.parts.isEmpty ? .none : SimulatedParts(),
      token: EngineToken(Token(number: node), in: self)
    )
    if plan.job?.isInProgress == true { state.job.run() }
    return state
  }

  func reducer<Action: Carrier>(of node: Int) -> Reducer<SimulatedState, Action> {
    { [unowned self] state, action in reduce(&state, action.carried, at: node) }
  }

  private func middleware(of root: Int) -> Reducer<SimulatedState, Mutation<SimulatedState>> {
    { [unowned self] state, mutation in
      note(.followed, root, mutation.carried.number, state.digest.all)
      // No matter what it applies, only the commit decides.
      failingMutation.apply(to: &state)
    }
  }

  /// Applies a mutation that reaches the root.
  func change(_ state: inout SimulatedState, _ action: SimulatedAction) {
    // No matter what a commit's closure applies, only the commit decides, except if it replaces one that may fail.
    if action.number.isMultiple(of: 5) { failingMutation.apply(to: &state) }
    reduce(&state, action, at: Int(state.digest.tree))
  }

  private func reduce(_ state: inout SimulatedState, _ action: SimulatedAction, at node: Int) {
    note(.reduced, node, action.number, action.digest)
    state.digest.reduce(action)
    switch scripts.deed(about: action.number, at: Place(.reducer, node)) {
    case .job(let verb): state.change(verb)
    case .parts(let verb): state.parts.change(verb)
    case .refuse: failingMutation.apply(to: &state)
    default: break
    }
    guard node == state.digest.tree else { return }
    state.change(TableVerb(of: action.number))
    latest[node] = action.number
  }

  func isRefused<Action>(_ action: SimulatedAction, in store: Store<SimulatedState, Action>) -> Bool {
    for root in roots where root.storeTree === store.tree {
      if case .refuse = scripts.deed(about: action.number, at: Place(.reducer, root.tree)) { return true }
    }
    return false
  }

  /// Prepares a commit that is about to throw.
  func refuse(_ state: inout SimulatedState, _ action: SimulatedAction) {
    note(.refused, Int(state.digest.tree), action.number)
    state.digest.reduce(action)
  }

  private func observer(_ number: Int) -> Observer<SimulatedState> {
    if let observer = observers[number] { return observer }
    let observer = makeObserver(number, nil)
    observers[number] = observer
    return observer
  }

  private func makeObserver(_ number: Int, _ token: EngineToken?) -> Observer<SimulatedState> {
    number.isCompletingObserver
      ? Observer { [unowned self] state, complete in
        withExtendedLifetime(token) {
          completions[number] = complete
          observe(number, state)
          complete(.active)
        }
      }
      : Observer { [unowned self] state in
        withExtendedLifetime(token) {
          observe(number, state)
          defer { dying[number] = false }
          return dying[number] ? .dead : .active
        }
      }
  }

  private func observe(_ number: Int, _ state: SimulatedState) {
    note(.observed, number, state.digest.count, state.digest.all)
    react(to: latest[Int(state.digest.tree)], at: Place(.observer, number))
  }
}
