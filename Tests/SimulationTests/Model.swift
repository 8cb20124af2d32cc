/// A model of the laws: each tree is a list of entries that plain recursion processes in order.
///
/// It shares no code with the engine, and is as simple as possible.
final class Model: SimulatedWorld {
  /// The work in progress of one thread.
  struct Thread {
    /// The trees whose callbacks it is in.
    var inside: [Int] = []

    /// The releases that the engine postpones meanwhile.
    var kept: [() -> Void] = []

    /// The trees whose combined values become stale because of the current releases, one list per nested release.
    var expiredIn: [[Tree]] = []
  }

  var occurrences: [Occurrence] = []
  var alive: UInt64 = 0
  var scripts: Scripts

  var trees: [Tree?]
  var nodes: [Node?]
  var stores: [Store?]

  /// The work that waits for the executor, in order of arrival.
  var turns: [Turn] = []

  /// The threads: the last one is running, and has interrupted the others.
  var threads = [Thread()]

  /// The subscription for which each observer was last called.
  var lastCalled: [Subscription?]

  /// The observers that return `.dead` at the end of their running or next call.
  var dying: [Bool]

  /// The target of the last `dispatch` that each interceptor received: a node, or a part of it.
  var contexts: [(node: Int, part: StatePart?)?]

  var observations: [Observation?]

  /// The total number of observations.
  var observationCount = 0
  var deriveds: [Derived?]
  var selectors: [Selector?]

  /// The total number of selectors.
  var selectorCount = 0

  /// The total number of derived values.
  var derivedCount = 0

  /// The tasks of scopes with their own type of actions, by the numbers of the scopes.
  var tables: [Table?]

  /// The requirements of the tasks of these scopes, by the numbers of the scopes.
  var presences: [Presence?]

  /// The tasks last started by an operation, by the numbers of their programs.
  var tasks: [Task?]

  var screens: [Screen?]
  var appliers: [Applier?]

  /// The added interceptors, by their numbers.
  var additions: [Addition?]

  /// Grows with each interceptor that begins to judge, and each action that one begins to hold.
  var lastPosition = 0

  /// The held actions, in order, by their numbers.
  var held: [Int: [Step]] = [:]

  /// The total number of functions that apply changes.
  var applierCount = 0

  /// The functions that wait for the end of the current deliveries to the main queue, and the depth of such deliveries.
  var changedAppliers: [Applier] = []
  var rounds = 0

  /// The tasks that wait at gates, in order.
  var gates: [Task] = []

  /// The alarms, in the order in which they were scheduled.
  var alarms: [Alarm] = []
  var now = 0

  /// The queues in the order of their first deliveries.
  var queues: [Queue] = []

  /// The queues with a delivery in progress.
  var delivering: [Int] = []

  let chance: Chance
  var operation = 0

  /// The number of moments in the operation when another thread may interrupt.
  var moments = 0

  init(_ inventory: WorldInventory, _ chance: Chance) {
    scripts = Scripts(inventory.scripts)
    self.chance = chance
    trees = Array(repeating: nil, count: inventory.limit)
    nodes = Array(repeating: nil, count: inventory.limit)
    stores = Array(repeating: nil, count: inventory.limit)
    lastCalled = Array(repeating: nil, count: inventory.limit)
    dying = Array(repeating: false, count: inventory.limit)
    contexts = Array(repeating: nil, count: inventory.limit)
    observations = Array(repeating: nil, count: inventory.limit)
    deriveds = Array(repeating: nil, count: inventory.limit)
    selectors = Array(repeating: nil, count: inventory.limit)
    tables = Array(repeating: nil, count: inventory.limit)
    presences = Array(repeating: nil, count: inventory.limit)
    tasks = Array(repeating: nil, count: inventory.limit)
    screens = Array(repeating: nil, count: inventory.limit)
    appliers = Array(repeating: nil, count: inventory.limit)
    additions = Array(repeating: nil, count: inventory.limit)
  }

  /// Breaks the remaining reference cycles.
  deinit {
    held = [:]
    for case let node? in nodes { node.end() }
    for case let store? in stores { store.node.end() }
    for case let table? in tables { table.end() }
  }

  func note(_ kind: Occurrence.Kind, _ place: Int, _ detail: Int32 = 0, _ digest: UInt64 = 0) {
    occurrences.append(Occurrence(kind: kind, place: Int32(place), detail: detail, digest: digest))
  }

  // MARK: Operations

  func perform(_ operation: Operation, number: Int) {
    self.operation = number
    moments = 0
    perform(operation)
  }

  func perform(_ operation: Operation) {
    switch operation {
    case .makeTree(let number, let plan): makeTree(number, plan)
    case .makeChild(let number, let base, let plan): makeChild(number, base, plan)
    case .makeScope(let number, let base, let projection): makeScope(number, base, projection)
    case .release(let node): release(node)
    case .dispatch(let script, let store): dispatch([script], store, isBatch: false)
    case .dispatchBatch(let scripts, let store): if !scripts.isEmpty { dispatch(scripts, store, isBatch: true) }
    case .dispatchAndWait(let script, let store): dispatchAndWait(script, store)
    case .dispatchAsInterceptor(let script, let node): dispatchAsInterceptor(script, node)
    case .readState(let store): readState(store)
    case .addInterceptor(let number, let store): addInterceptor(number, store)
    case .removeInterceptor(let number): removeInterceptor(number)
    case .decide(let action, let decision): decide(action, decision)
    case .subscribe(let observer, let store): subscribe(observer, store)
    case .subscribeOnce(let observer, let store, let token): subscribeOnce(observer, store, token)
    case .end(let observer): end(observer)
    case .observe(let number, let source, let delivery, let initial, let token):
      observe(number, source, delivery, initial: initial, token)
    case .cancelObservation(let number): if let observation = observations[number] { cancel(observation) }
    case .keepObservation(let number): keepObservation(number)
    case .dropObservation(let number): dropObservation(number)
    case .derive(let number, let store, let modulus): derive(number, store, modulus)
    case .combine(let number, let first, let second): combine(number, first, second)
    case .map(let number, let base, let modulus): map(number, base, modulus)
    case .deriveSelected(let number, let selector, let store): deriveSelected(number, selector, store)
    case .select(let number, let store): select(number, store)
    case .dropSelector(let number): dropSelector(number)
    case .readValue(let number): if let derived = deriveds[number] { note(.read, number, Int32(derived.value)) }
    case .dropDerived(let number): dropDerived(number)
    case .task(let store, let key, let mode, let program): startTask(store, key, mode, program)
    case .cancelTask(let program): if let task = tasks[program] { cancel(task) }
    case .cancelKey(let key, let part, let store): stores[store].map { cancel(key, in: table(of: $0, at: part)) }
    case .cancelAllTasks(let store): stores[store].map { cancel(nil, in: table(of: $0)) }
    case .isRunning(let key, let store): isRunning(key, store)
    case .open(let gate): for task in gates where task.gate == gate { wakeUp(task) }
    case .screen(let operation): if isOnMain { perform(operation) }
    case .elsewhere(let operation):
      turns.append(Turn(label: .thread) { [unowned self] in perform(operation) })
    case .gated(let tree, let operations): performGated(operations, tree)
    case .advance(let duration): advance(by: duration)
    case .step(let choice): note(.stepped, runTurn(choice) ? 1 : 0)
    case .run: run()
    }
  }

  private func makeTree(_ number: Int, _ plan: NodePlan) {
    guard trees[number] == nil else { return }
    let tree = Tree(number, isOfCommits: plan.isOfCommits, plan.monitor.map { Monitor(hold($0)) })
    trees[number] = tree
    let root = Node(number, in: tree, parent: nil, plan)
    nodes[number] = root
    post(.storeMade, in: root)
    add(root)
  }

  private func makeChild(_ number: Int, _ base: Int, _ plan: NodePlan) {
    guard nodes[number] == nil, stores[number] == nil, let parent = stores[base] else { return }
    // An owner that is being released takes no more children, although the address still takes actions.
    guard parent.node.isOpen, !parent.node.isReleasing else {
      let closed = Node(closed: number, in: parent.node.tree, plan)
      stores[number] = Store(node: closed, watches: parent.watches)
      return
    }
    let node = Node(number, in: parent.node.tree, parent: parent, plan)
    // From here on it keeps its ancestors.
    nodes[number] = node
    post(.storeMade, in: node)
    join(node, parent.node)
    add(node)
  }

  private func add(_ node: Node) {
    alive.toggle(node.number)
    begin(node)
    // The store is not available before it is made.
    stores[node.number] = Store(node: node, watches: node.parent?.watches ?? [])
  }

  private func makeScope(_ number: Int, _ base: Int, _ projection: Projection) {
    guard stores[number] == nil, var store = stores[base] else { return }
    store.projections.append(projection)
    if projection.isOptional { store.watches.append(Watch(node: store.node, projections: store.projections)) }
    if projection.hasOwnActions {
      store.embeddings.append(Embedding(scope: number, projection: projection, watches: store.watches))
    }
    stores[number] = store
  }

  private func dispatch(_ scripts: [Script], _ store: Int, isBatch: Bool) {
    guard let store = stores[store] else { return }
    let actions = scripts.map { store.embed(Action($0, in: store.node.tree)) }
    accept(at: store.node, .waits) { [unowned self] in step(store.node, actions, isBatch: isBatch) }
  }

  private func dispatchAndWait(_ script: Script, _ store: Int) {
    guard let store = stores[store], store.node.isOpen, !isBusy(store.node.tree) else { return }
    let tree = store.node.tree
    let action = store.embed(Action(script, in: tree, isAwaited: tree.isOfCommits))
    wait(for: tree, at: store.node) {
      runBlocked(of: tree)
      step(store.node, [action])
    }
    if isOnMain { hurry(tree) }
  }

  private func dispatchAsInterceptor(_ script: Script, _ node: Int) {
    guard let (number, part) = contexts[node], let node = nodes[number] else { return }
    accept(at: node, .waits) { [unowned self] in
      step(node, [Action(script, in: node.tree).embedded(in: part)])
    }
  }

  private func readState(_ number: Int) {
    guard let store = stores[number] else { return }
    guard store.node.isOpen else {
      if isInside(store.node.tree) || !isBusy(store.node.tree) { note(.answered, number, -1) }
      return
    }
    var state: Digest?
    guard read(in: store.node.tree, at: store.node, { state = view(store) }) else { return }
    note(.answered, number, state?.count ?? -1, state?.all ?? 0)
  }

  private func startTask(_ number: Int, _ key: Int?, _ mode: Mode, _ program: Program) {
    guard let store = stores[number] else { return }
    let task = Task(
      program,
      in: table(of: store),
      key: key,
      group: nil,
      presence: presence(of: store),
      isSetOff: isInside(store.node.tree),
      reportsAs: nil,
      send: { [unowned self] task, script in
        send(store.embed(Action(script, in: store.node.tree)), to: store.node, by: task)
      }
    )
    add(task, mode)
    // Only now is it available.
    tasks[program.number] = task
  }

  private func isRunning(_ key: Int, _ number: Int) {
    guard let store = stores[number] else { return }
    guard read(in: store.node.tree, {}) else { return }
    let lane = table(of: store).lanes[key]
    note(.running, number, lane?.isRunning == true || lane?.reserved.isEmpty == false ? 1 : 0)
  }

  /// Reads from a tree: immediately inside it, otherwise after everything accepted before; not at all if it would wait
  /// for itself.
  ///
  /// - Returns: `true` if it has read.
  func read(in tree: Tree, at node: Node? = nil, _ look: () -> Void) -> Bool {
    guard !isInside(tree) else {
      look()
      return true
    }
    guard !isBusy(tree) else { return false }
    wait(for: tree, at: node, look)
    return true
  }
}
