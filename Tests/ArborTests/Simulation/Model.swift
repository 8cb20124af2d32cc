/// What the laws say that a tree of stores does: one list of entries, worked off from its start by plain recursion.
///
/// It shares no code with the engine, and is as slow and as simple as can be.
final class Model: SimulatedTree {
  private enum Entry {
    case step(node: Int, [SimulatedAction])
    case greet(Subscription)
    case free(node: Int)
  }

  private struct Store {
    var node: Int
    var projections: [Projection] = []
    var embeddings: [Int] = []
  }

  private final class Node {
    let number: Int
    let parent: Store?
    let intercepts: Bool
    var part = Picture.Part()
    var subscriptions: [Subscription] = []
    var children: [Node] = []
    var isOpen = true
    var isHeld = true

    init(_ number: Int, parent: Store?, intercepts: Bool) {
      self.number = number
      self.parent = parent
      self.intercepts = intercepts
    }
  }

  private final class Subscription {
    let observer: Int
    let store: Int
    let node: Int
    var isLinked = false
    var isEnded = false

    var isListening: Bool { isLinked && !isEnded }

    init(observer: Int, store: Int, node: Int) {
      self.observer = observer
      self.store = store
      self.node = node
    }
  }

  private(set) var occurrences: [Occurrence] = []
  private var entries: [Entry] = []
  private var isRunning = false
  private var stores = [0: Store(node: 0)]
  private var tree = [0: Node(0, parent: nil, intercepts: true)]
  private var freed: Set<Int> = []
  private var reactions = Reactions()

  /// The subscription for which each observer was called last.
  private var lastCalled: [Int: Subscription] = [:]

  /// The observers that return `.dead` at the end of their running or next call.
  private var dying: Set<Int> = []

  /// The node to which the `dispatch` sends that each interceptor was given last.
  private var contexts: [Int: Int] = [:]

  var pending: Int { entries.count }

  var nodes: Set<Int> { Set(tree.keys).subtracting(freed) }

  // MARK: Operations

  func perform(_ operation: Operation) {
    switch operation {
    case .dispatch(let action, let store): accept([action], store)
    case .dispatchBatch(let actions, let store): if !actions.isEmpty { accept(actions, store) }
    case .dispatchAndWait(let action, let store): if accept([action], store) { run() }
    case .dispatchAsInterceptor(let action, let node): contexts[node].map { _ = accept([action], $0) }
    case .readState(let store): readState(store)
    case .subscribe(let observer, let store): subscribe(observer, store)
    case .end(let observer): end(observer)
    case .makeScope(let number, let base, let projection): makeScope(number, base, projection)
    case .makeChild(let number, let base, let intercepts, _): makeChild(number, base, intercepts)
    case .release(let node): release(node)
    case .step: occurrences.append(.stepped(runNext()))
    case .run: while runNext() {}
    }
  }

  @discardableResult
  private func accept(_ actions: [SimulatedAction], _ store: Int) -> Bool {
    guard isOpen(store), let store = stores[store] else { return false }
    entries.append(.step(node: store.node, actions.map { embed($0, in: store) }))
    return true
  }

  private func readState(_ number: Int) {
    guard let store = stores[number] else { return }
    guard isOpen(number) else { return occurrences.append(.answered(store: number, state: nil)) }
    if !isRunning { run() }
    occurrences.append(.answered(store: number, state: view(store)?.description))
  }

  private func makeScope(_ number: Int, _ base: Int, _ projection: Projection) {
    guard var store = stores[base] else { return }
    store.projections.append(projection)
    if projection == .embedding { store.embeddings.append(number) }
    stores[number] = store
  }

  private func makeChild(_ number: Int, _ base: Int, _ intercepts: Bool) {
    guard isOpen(base), let parent = stores[base] else { return }
    let node = Node(number, parent: parent, intercepts: intercepts)
    tree[number] = node
    tree[parent.node]!.children.append(node)
    stores[number] = Store(node: number)
  }

  private func subscribe(_ observer: Int, _ store: Int) {
    guard isOpen(store), let node = stores[store].map({ tree[$0.node]! }) else { return }
    entries.append(.greet(Subscription(observer: observer, store: store, node: node.number)))
  }

  private func end(_ observer: Int) {
    guard observer.isCompletingObserver else {
      dying.insert(observer)
      return
    }
    guard let subscription = lastCalled[observer], !subscription.isEnded else { return }
    subscription.isEnded = true
  }

  /// Closes the node and each ancestor that had its last owner in it.
  private func release(_ number: Int) {
    guard let node = tree[number], node.isHeld else { return }
    node.isHeld = false
    var next: Node? = node
    while let node = next, node.isOpen, !isOwned(node) {
      node.isOpen = false
      entries.append(.free(node: node.number))
      if !isRunning, entries.count == 1 { run() }
      next = node.parent.map { tree[$0.node]! }
    }
  }

  private func isOwned(_ node: Node) -> Bool {
    node.isHeld || tree.values.contains { $0.isOpen && $0.parent?.node == node.number && isOwned($0) }
  }

  private func isOpen(_ store: Int) -> Bool {
    stores[store].map { tree[$0.node]!.isOpen } ?? false
  }

  // MARK: Entries

  /// Runs what waits now, and not what comes of it.
  private func run() {
    for _ in entries { _ = runNext() }
  }

  private func runNext() -> Bool {
    guard !entries.isEmpty else { return false }
    isRunning = true
    run(entries.removeFirst())
    isRunning = false
    return true
  }

  private func run(_ entry: Entry) {
    switch entry {
    case .step(let node, let actions): step(tree[node]!, actions)
    case .greet(let subscription): greet(subscription)
    case .free(let node): freed.insert(node)
    }
  }

  private func step(_ node: Node, _ actions: [SimulatedAction]) {
    guard !actions.isEmpty else { return }
    for action in actions {
      intercept(node, action, context: node.number)
      reduce(node, action)
    }
    let root = tree[0]!
    if root.isOpen, hasListeners(root) { notify(root, Picture(parts: [root.part])) }
  }

  private func intercept(_ node: Node, _ action: SimulatedAction, context: Int) {
    if node.intercepts {
      occurrences.append(.intercepted(node: node.number, action: action.number, path: action.path))
      contexts[node.number] = context
      for operation in reactions.meet(action, at: .interceptor(of: node.number)) { perform(operation) }
    }
    guard let parent = node.parent else { return }
    // Above a scope with its own type of actions nobody knows the type that the node's own dispatch takes.
    let contextAbove = parent.embeddings.isEmpty ? context : parent.node
    intercept(tree[parent.node]!, embed(action, in: parent), context: contextAbove)
  }

  private func reduce(_ node: Node, _ action: SimulatedAction) {
    occurrences.append(.reduced(node: node.number, action: action.number, path: action.path))
    node.part.reduce(action)
    if let parent = node.parent { reduce(tree[parent.node]!, embed(action, in: parent)) }
  }

  private func embed(_ action: SimulatedAction, in store: Store) -> SimulatedAction {
    store.embeddings.reversed().reduce(action) { $0.embedded(in: $1) }
  }

  // MARK: Observers

  private func greet(_ new: Subscription) {
    let node = tree[new.node]!
    guard node.isOpen else { return }
    let existing = node.subscriptions.first { $0.observer == new.observer && $0.store == new.store && !$0.isEnded }
    let subscription = existing ?? new
    if existing == nil {
      node.subscriptions.append(subscription)
      subscription.isLinked = true
    }
    if let state = compose(node) { call(subscription, state) }
  }

  private func notify(_ node: Node, _ state: Picture) {
    for subscription in node.subscriptions where node.isOpen && subscription.isListening {
      call(subscription, state)
    }
    for child in node.children {
      guard let above = project(state, child.parent!), hasListeners(child) else { continue }
      notify(child, map(child, above))
    }
  }

  private func call(_ subscription: Subscription, _ state: Picture) {
    guard let state = project(state, stores[subscription.store]!) else { return }
    let observer = subscription.observer
    occurrences.append(.observed(observer: observer, state: state.description))
    lastCalled[observer] = subscription
    for action in state.parts.compactMap(\.last) {
      for operation in reactions.meet(action, at: .observer(observer)) { perform(operation) }
    }
    if dying.remove(observer) != nil { subscription.isEnded = true }
  }

  /// Whether anybody listens here or below.
  private func hasListeners(_ node: Node) -> Bool {
    node.isOpen && (node.subscriptions.contains(where: \.isListening) || node.children.contains(where: hasListeners))
  }

  // MARK: States

  private func view(_ store: Store) -> Picture? {
    compose(tree[store.node]!).flatMap { project($0, store) }
  }

  private func compose(_ node: Node) -> Picture? {
    guard let parent = node.parent else { return Picture(parts: [node.part]) }
    return view(parent).map { map(node, $0) }
  }

  private func map(_ node: Node, _ above: Picture) -> Picture {
    occurrences.append(.mapped(node: node.number))
    return Picture(parts: above.parts + [node.part])
  }

  private func project(_ state: Picture, _ store: Store) -> Picture? {
    var state = Optional(state)
    for projection in store.projections { state = state.flatMap { projection.apply(to: $0) } }
    return state
  }
}
