/// Screens: each shows the last delivered state.
extension Model {
  final class Screen {
    enum Kind: Equatable {
      /// A store's state, a derived value, a record of a table, or the ids of all its records.
      case state, value, record, list
    }

    let kind: Kind

    /// The number of the root of the tree whose state is shown.
    let tree: Int

    /// The store that receives its actions; nil if it takes none.
    let store: Store?

    /// The shown state; for a record its value, for a list its records.
    var shown: Shown
    var records = Records()

    /// For a list, the last delivered version.
    var version: Int?

    /// The number of its holders.
    var handles = 1
    var observation: Observation?

    /// The value that its store keeps, if it shows one.
    var derived: Derived?

    /// The list made from it, shared by all callers as long as one keeps it.
    weak var list: Screen?

    /// For a list, the rows that are kept, by the ids of their records.
    var rows: [Int: Screen] = [:]

    /// For a row, the id of its record, and the list that updates it.
    var row: (id: Int, list: Screen)?

    /// The screen it was made from, if it keeps that.
    var base: Screen?

    /// The first screen in the chain it was made from, as long as that has holders.
    var origin: Screen? {
      get { first.flatMap { $0.handles > 0 ? $0 : nil } }
      set { first = newValue }
    }

    private weak var first: Screen?

    /// The screens made from it that are kept because a reader waits for them to change, and the number that is too
    /// many.
    var tracked: [Screen] = []
    var trackedLimit = 16
    var trackedDeliveries = 0
    var trackings: [(part: ScreenPart, tracking: Tracking)] = []

    init(_ kind: Kind, in tree: Int, _ store: Store?, _ shown: Shown) {
      self.kind = kind
      self.tree = tree
      self.store = store
      self.shown = shown
    }

    func value(_ part: ScreenPart) -> Int {
      switch (kind, part) {
      case (.list, _): records.rows.reduce(1) { $0 * 8 + $1.id }
      case (_, .half): Int(shown.count) / 2
      case (_, .third): Int((UInt64(shown.count) &+ shown.digest) % 3)
      case (.state, .whole): Int(truncatingIfNeeded: Digest.mix(UInt64(shown.count), shown.digest))
      case (_, .whole): Int(shown.count)
      }
    }
  }

  func perform(_ operation: ScreenOperation) {
    switch operation {
    case .show(let number, let source): add(number) { makeScreen(number, of: source) }
    case .showScope(let number, let base): add(number) { use(base) { makeScope(number, of: $0) } }
    case .showRows(let number, let base): add(number) { use(base) { makeRows(number, of: $0) } }
    case .showRow(let number, let id, let base): add(number) { use(base) { makeRow(id, of: $0) } }
    case .drop(let number): drop(number)
    case .read(let sight):
      if let screen = screens[sight.screen] { note(.seen, sight.screen, 0, [screen.value(sight.part)].digest) }
    case .track(let parts, let screen, let reader):
      if let screen = screens[screen] { track(parts.map { (screen, $0) }, .reader(reader, screen, parts)) }
    case .apply(let number, let sights): apply(number, sights)
    case .stopApplying(let number):
      let applier = appliers[number].take()
      applier.map(stop)
    case .send(let script, let screen): use(screen) { send(script, $0) }
    case .write(let script, let sight, let value):
      use(sight.screen) { write(value, to: sight.part, of: $0, script) }
    }
  }

  /// Keeps a screen during a body.
  @discardableResult
  private func use<Result>(_ number: Int, _ body: (Screen) -> Result?) -> Result? {
    guard let screen = screens[number].map(kept) else { return nil }
    defer { letGo(of: screen) }
    return body(screen)
  }

  // MARK: Making

  private func add(_ number: Int, _ make: () -> Screen?) {
    guard screens[number] == nil, let screen = make() else { return }
    guard screens[number] == nil else { return letGo(of: screen) }
    screens[number] = screen
    note(.shown, number, 0, [screen.value(.whole)].digest)
  }

  private func makeScreen(_ number: Int, of source: Source?) -> Screen? {
    switch source {
    case .store(let base):
      guard let store = stores[base], store.node.isOpen else { return nil }
      var state: Digest?
      guard read(in: store.node.tree, at: store.node, { state = view(store) }), let state else { return nil }
      let screen = Screen(.state, in: store.node.tree.number, store, Shown(count: state.count, digest: state.all))
      follow(number, screen, at: store.node, store: base)
      return screen
    case .derived(let base):
      guard let derived = input(base) else { return nil }
      let screen = Screen(.value, in: derived.node.tree.number, nil, Shown(derived.value))
      derived.handles += 1
      screen.derived = derived
      follow(number, screen, at: derived.node, store: nil)
      return screen
    case nil: return Screen(.state, in: 0, nil, Shown(count: 0, digest: 0))
    }
  }

  private func makeScope(_ number: Int, of base: Screen) -> Screen? {
    guard base.kind == .state, var store = base.store, !store.node.tree.isOfCommits else { return nil }
    store.projections.append(.embedding)
    store.embeddings.append(Embedding(scope: number, projection: .embedding, watches: store.watches))
    stores[number] = store
    let scope = Screen(.state, in: base.tree, store, base.shown)
    follow(number, scope, at: store.node, store: number)
    descend(scope, from: base)
    return scope
  }

  private func makeRows(_ number: Int, of base: Screen) -> Screen? {
    guard base.kind == .state, let store = base.store else { return nil }
    if let list = base.list, list.handles > 0 { return kept(list) }
    stores[number] = store
    let list = Screen(.list, in: base.tree, store, base.shown)
    list.records = records(of: list, in: base.shown)
    follow(number, list, at: store.node, store: number)
    base.list = list
    descend(list, from: base)
    return list
  }

  private func makeRow(_ id: Int, of list: Screen) -> Screen? {
    if let row = list.rows[id] { return kept(row) }
    guard list.kind == .list, let record = list.records.rows.first(where: { $0.id == id }) else { return nil }
    let row = Screen(.record, in: list.tree, list.store, Shown(record.value))
    row.row = (id, kept(list))
    row.origin = list.origin
    list.rows[id] = row
    return row
  }

  private func descend(_ screen: Screen, from base: Screen) {
    screen.origin = base.origin ?? base
    if base.origin != nil { screen.base = kept(base) }
  }

  private func kept(_ screen: Screen) -> Screen {
    screen.handles += 1
    return screen
  }

  /// Updates a screen on the main queue, beginning with the state after all earlier accepted entries.
  private func follow(_ number: Int, _ screen: Screen, at node: Node, store: Int?) {
    observationCount += 1
    let observation = Observation(number, order: observationCount, at: node, store: store, .main, initial: false, nil)
    observation.screen = screen
    if let derived = screen.derived {
      derived.handles += 1
      observation.derived = derived
    }
    let subscription = observe(observation)
    for tree in node.isOpen ? screen.derived?.inputTrees ?? [] : [] { wait(for: tree) {} }
    if !accept(subscription) { release(subscription) }
    if node.isOpen { wait(for: node.tree, at: node) {} }
    screen.observation = observation
    guard node.isOpen, let shown = lookBetweenSteps(at: node, { shown(to: observation) }) else { return }
    screen.shown = shown
    if screen.kind == .list { screen.records = records(of: screen, in: shown) }
  }

  // MARK: Releasing

  private func drop(_ number: Int) {
    guard let screen = screens[number] else { return }
    screens[number] = nil
    letGo(of: screen)
    note(.dropped, number, screen.handles == 0 ? 1 : 0)
  }

  func letGo(of screen: Screen) {
    screen.handles -= 1
    guard screen.handles == 0 else { return }
    screen.trackings = []
    for tracked in screen.tracked { tracked.origin = nil }
    for tracked in screen.tracked { letGo(of: tracked) }
    if let base = screen.base { letGo(of: base) }
    if let derived = screen.derived { release(derived) }
    if let (id, list) = screen.row {
      list.rows[id] = nil
      letGo(of: list)
    }
    if let observation = screen.observation { cancel(observation) }
  }

  // MARK: Actions

  /// Sends an action, if the shown part exists, and waits for its step.
  private func send(_ script: Script, _ screen: Screen) {
    guard screen.kind != .list, let store = screen.store, store.node.isOpen else { return }
    let tree = store.node.tree
    wait(for: tree, at: store.node) {
      runBlocked(of: tree)
      // Check in its turn: the owner may have been released during the wait.
      guard store.node.isOpen, let state = view(store) else { return }
      let isThere = screen.row.map { row in tree.records[Int(state.count)].rows.contains { $0.id == row.id } } ?? true
      if isThere { step(store.node, [store.embed(Action(script, in: tree))]) }
    }
    hurry(tree)
  }

  private func write(_ value: Int, to part: ScreenPart, of screen: Screen, _ script: Script) {
    guard screen.kind != .list, screen.store != nil else { return }
    send(script, screen)
    if screen.value(part) != value { tell(screen.trackings.filter { $0.part == part }, of: screen) }
  }
}
