/// The order of events: entries of trees, turns of the executor, and interrupting threads.
extension Model {
  /// Work that waits for the executor.
  struct Turn {
    let label: Label
    let run: () -> Void
  }

  var waiting: [Label] { turns.map(\.label) }

  var entries: Int { trees.reduce(0) { $0 + ($1?.entries.count ?? 0) } }

  // MARK: Turns

  func run() {
    var count = 0
    while count < 1_000, runTurn(0) { count += 1 }
  }

  /// Runs one of the possible next turns: mailboxes and queues keep their own order, all others are free.
  func runTurn(_ choice: Int) -> Bool {
    let free = turns.indices.filter { isFree($0) }
    guard !free.isEmpty else { return false }
    turns.remove(at: free[choice % free.count]).run()
    return true
  }

  private func isFree(_ index: Int) -> Bool {
    switch turns[index].label {
    case .mailbox(let tree): !threads.contains { $0.inside.contains(tree) }
    case .delivery(let queue):
      !delivering.contains(queue) && (isOnMain || queues[queue] != .main)
        && !turns[..<index].contains { $0.label == turns[index].label }
    case .timer, .thread, .part: true
    }
  }

  /// Schedules the executor for a tree. Another thread may run any waiting work immediately.
  ///
  /// - Parameter isLeaving: `true` if the runner of the tree has left work and has not left the queue yet.
  private func wake(_ tree: Tree, isLeaving: Bool = false) {
    tree.hasTurn = true
    turns.append(Turn(label: .mailbox(tree: tree.number)) { [unowned self] in runNext(of: tree) })
    if !isLeaving { preempt() }
  }

  /// Gives another thread a chance to interrupt.
  func preempt(rarity: UInt64 = 4) {
    guard threads.count < 3 else { return }
    moments += 1
    let choices = chance.preemption(operation: operation, moment: moments, rarity: rarity)
    guard !choices.isEmpty else { return }
    threads.append(Thread())
    for choice in choices { _ = runTurn(choice) }
    threads.removeLast()
  }

  private func runNext(of tree: Tree) {
    tree.hasTurn = false
    attend(tree) {
      makeChanges(in: tree)
      if !tree.entries.isEmpty { runFirst(of: tree) }
    }
  }

  // MARK: Deliveries and time

  /// A queue for deliveries.
  enum Queue: Equatable {
    case global, main
    case observation(Int)
  }

  /// An event at a time.
  final class Alarm {
    let time: Int
    let ring: () -> Void

    init(at time: Int, _ ring: @escaping () -> Void) {
      self.time = time
      self.ring = ring
    }
  }

  func deliver(on queue: Queue, _ work: @escaping () -> Void) {
    let number = queues.firstIndex(of: queue) ?? queues.count
    if number == queues.count { queues.append(queue) }
    turns.append(
      Turn(label: .delivery(queue: number)) { [unowned self] in
        delivering.append(number)
        work()
        delivering.removeLast()
      }
    )
  }

  /// Adds work for the executor after a duration.
  func schedule(after duration: Int, _ work: @escaping () -> Void) -> Alarm {
    setAlarm(after: duration) { [unowned self] in turns.append(Turn(label: .timer, run: work)) }
  }

  func setAlarm(after duration: Int, _ ring: @escaping () -> Void) -> Alarm {
    let alarm = Alarm(at: now + duration, ring)
    alarms.append(alarm)
    return alarm
  }

  func stop(_ alarm: Alarm) {
    alarms.removeAll { $0 === alarm }
  }

  func advance(by duration: Int) {
    let end = now + duration
    while let next = alarms.min(by: { $0.time < $1.time }), next.time <= end {
      now = next.time
      stop(next)
      next.ring()
    }
    now = end
  }

  // MARK: Entries

  /// `true` if the running thread is in a callback of a tree.
  func isInside(_ tree: Tree) -> Bool { threads[threads.count - 1].inside.contains(tree.number) }

  /// `true` if this is the main queue, and no thread is in the middle of a tree's work.
  var isOnMain: Bool { threads.allSatisfy(\.inside.isEmpty) }

  /// `true` if waiting for a tree here would never end.
  func isBusy(_ tree: Tree) -> Bool {
    threads.contains { $0.inside.contains(tree.number) }
  }

  /// Adds an entry, unless the node has no owner.
  ///
  /// - Returns: `true` if it was accepted.
  @discardableResult
  func accept(at node: Node, _ atGate: GateRule = .passes, _ entry: @escaping Entry) -> Bool {
    guard node.isOpen else { return false }
    accept(in: node.tree, atGate, entry)
    return true
  }

  func accept(in tree: Tree, _ atGate: GateRule = .passes, _ entry: @escaping Entry) {
    tree.accepted += 1
    tree.entries.append(AcceptedEntry(number: tree.accepted, atGate: atGate, run: entry))
    if !tree.isRunning, !tree.hasTurn { wake(tree) }
  }

  /// Runs all earlier accepted entries, and then a body.
  ///
  /// - Parameter node: The awaited node, which the caller keeps meanwhile; nil if the caller waits for the tree.
  func wait(for tree: Tree, at node: Node? = nil, _ body: () -> Void) {
    keep(node) { waitInTurn(for: tree, body) }
  }

  /// Keeps a node during a body.
  func keep(_ node: Node?, _ body: () -> Void) {
    guard let node else { return body() }
    node.keepers += 1
    body()
    letGo { [unowned self] in free(node) }
  }

  private func waitInTurn(for tree: Tree, _ body: () -> Void) {
    let position = tree.accepted
    attend(tree) {
      runEntries(of: tree, upTo: position)
      body()
    }
  }

  /// Runs the accepted entries up to a position, and those that waited at a gate that is now open.
  func runEntries(of tree: Tree, upTo position: Int) {
    while let next = tree.entries.first, next.number <= max(position, tree.begun) { runNextEntry(of: tree) }
    makeChanges(in: tree)
  }

  func runNextEntry(of tree: Tree) {
    makeChanges(in: tree)
    runFirst(of: tree)
  }

  private func runFirst(of tree: Tree) {
    let entry = tree.entries.removeFirst()
    tree.begun = max(tree.begun, entry.number)
    tree.running = entry.number
    if let waiting = tree.gate, entry.atGate == .waits || entry.atGate == .follows && !waiting.isEmpty {
      tree.gate?.append(entry)
      return
    }
    entry.run()
    settle(tree)
  }

  func attend(_ tree: Tree, _ body: () -> Void) {
    threads[threads.count - 1].inside.append(tree.number)
    tree.isRunning = true
    body()
    repeat {
      makeChanges(in: tree)
      settle(tree)
    } while !tree.changes.isEmpty || !tree.joins.isEmpty
    tree.isRunning = false
    threads[threads.count - 1].inside.removeLast()
    for work in tree.afterwards.take() { work() }
    if !tree.entries.isEmpty, !tree.hasTurn { wake(tree, isLeaving: true) }
    releaseKept()
  }

  // MARK: Changes of links, and releases

  /// Changes the called subscriptions: immediately if the tree is idle, otherwise before the next entry.
  func rearrange(_ node: Node, _ change: @escaping () -> Void) {
    guard node.isOpen else { return }
    if node.tree.isIdle { change() } else { postpone(change, of: node) }
  }

  /// Makes a node the last child of its parent.
  func join(_ node: Node, _ parent: Node) {
    guard parent.isOpen else { return }
    guard !node.tree.isIdle else { return parent.children.append(node) }
    node.keepers += 1
    node.tree.joins.append(
      Change {
        parent.children.append(node)
      } letGo: { [unowned self] in
        free(node)
      })
  }

  /// Makes a change before the next entry. The change holds its node.
  func postpone(_ change: @escaping () -> Void, of node: Node) {
    node.keepers += 1
    node.tree.changes.append(Change(make: change) { [unowned self] in free(node) })
  }

  func makeChanges(in tree: Tree) {
    while !tree.joins.isEmpty || !tree.changes.isEmpty {
      let changes = tree.joins + tree.changes
      tree.joins = []
      tree.changes = []
      make(changes)
    }
  }

  func makeJoins(in tree: Tree) {
    let joins = tree.joins
    tree.joins = []
    if !joins.isEmpty { make(joins) }
  }

  private func make(_ changes: [Change]) {
    letGo {
      for change in changes { change.letGo() }
    }
    for change in changes { change.make() }
  }

  /// Releases an object as the engine does: after the thread has left all trees.
  func letGo(_ release: @escaping () -> Void) {
    let thread = threads.count - 1
    if threads[thread].inside.isEmpty { release() } else { threads[thread].kept.append(release) }
  }

  private func releaseKept() {
    let thread = threads.count - 1
    guard threads[thread].inside.isEmpty else { return }
    let releases = threads[thread].kept
    guard !releases.isEmpty else { return }
    threads[thread].kept = []
    threads[thread].expiredIn.append([])
    for release in releases { release() }
    // Settle the effects on combined values before any thread continues.
    for tree in threads[thread].expiredIn.removeLast() where tree.hasExpired && !isBusy(tree) {
      settleExpired(tree)
    }
  }

  /// A token created for a call, which holds it until it returns.
  final class HeldToken {
    let token: Token
    var holders = 1

    init(_ token: Token) {
      self.token = token
    }
  }

  func hold(_ token: Token) -> HeldToken {
    alive.toggle(token.number)
    return HeldToken(token)
  }

  /// Removes one holder of a token.
  func release(_ held: HeldToken) {
    held.holders -= 1
    guard held.holders == 0 else { return }
    let token = held.token
    alive.toggle(token.number)
    guard !token.operations.isEmpty else { return }
    note(.released, token.number)
    for operation in token.operations { perform(operation) }
  }
}

extension Array {
  /// Removes and returns all elements.
  fileprivate mutating func take() -> [Element] {
    defer { self = [] }
    return self
  }
}
