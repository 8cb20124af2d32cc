import Arbor
import ArborSync
import ArborTesting
import Dispatch
import TestSupport

/// Clients that share a state through one log, with failing connections and disks, in a random schedule.
///
/// - Used on the thread that steps the executor.
final class SyncWorld: @unchecked Sendable {
  let executor: ManualExecutor
  let clock = TestClock()
  let log: MemoryLog
  private(set) var random: SplitMix64
  private(set) var clients: [SimulatedClient]
  private(set) var reference = SyncReference()

  /// The first complaint; nil if nothing is wrong.
  private(set) var complaint: String?

  /// The probability that a call fails.
  private var faultiness: Double
  private var lastID = 0

  /// The number of times an action was intercepted and its effect was performed, by its id.
  private var intercepted: [Int: Int] = [:]
  private var performed: [Int: Int] = [:]

  /// The ids of actions that must be in the log at the end, by the names of their senders.
  private var acknowledged: [String: Set<Int>] = [:]
  private var settings = SyncSettings()

  /// `true` once another log has replaced the first.
  private var isReplaced = false

  init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    executor = ManualExecutor(seed: random.next())
    log = MemoryLog(lease: .seconds(Int.random(in: 2...60, using: &random)), clock: clock)
    let count =
      Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : Int.random(in: 2...20, using: &random)
    // Some clients have the name of another one.
    let names = Int.random(in: max(count - 2, 1)...count, using: &random)
    clients = (0..<count).map { SimulatedClient("c\($0 % names)") }
    faultiness = Bool.random(using: &random) ? 0 : Double.random(in: 0...0.4, using: &random)
    settings.batch = Int.random(in: 1...8, using: &random)
    settings.snapshotInterval = Int.random(in: 2...30, using: &random)
    settings.checksumInterval = Int.random(in: 1...6, using: &random)
    settings.pollInterval = .seconds(Int.random(in: 2...20, using: &random))
    settings.backoff = .exponential(initial: .seconds(1)).capped(at: .seconds(4))
    self.random = random
  }

  func complain(_ text: String) {
    complaint = complaint ?? text
  }

  // MARK: Answers for the connections and the disks

  func connectionFault() -> SimulatedConnection.Fault {
    guard Double.random(in: 0..<1, using: &random) < faultiness else { return .none }
    return SimulatedConnection.Fault.allCases.randomElement(using: &random)!
  }

  func delay(isSlow: Bool) async {
    let count = isSlow ? Int.random(in: 0...30, using: &random) : Int.random(in: 0...2, using: &random)
    for _ in 0..<count { await Task.yield() }
  }

  @discardableResult
  func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    executor.schedule.startTask(priority: nil, body)
  }

  /// Notes the log's actions before they may be compacted.
  func noteLog() async {
    guard !isReplaced else { return }
    let id = (try? await log.connect(LogClient("reader", incarnation: 0), reducerVersion: 1))?.id
    guard let id, let actions = try? await log.actions(behind: reference.end, atMost: .max, in: id) else { return }
    for action in actions {
      if let wrong = reference.add(action) { complain(wrong) }
    }
    // Without this note, the reader would prevent compaction.
    try? await log.note(reference.end, readBy: LogClient("reader", incarnation: 0), in: id)
  }

  // MARK: Running

  /// Runs the simulation. Returns a complaint if something is wrong; otherwise nil.
  func run() async -> String? {
    let rounds = Int.random(in: 5...60, using: &random)
    for _ in 0..<rounds where complaint == nil {
      await doSomething()
      let steps = Int.random(in: 0...60, using: &random)
      for _ in 0..<steps { executor.step() }
    }
    if complaint == nil { await settle() }
    let found = complaint
    for client in clients { kill(client) }
    executor.run()
    return found
  }

  private func doSomething() async {
    let client = clients.randomElement(using: &random)!
    guard let life = client.life, let store = life.store else {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: forget(client) { $0.disk = SimulatedDisk() }
      case 1: if let backup = client.backup { forget(client) { $0.disk = SimulatedDisk(copying: backup) } }
      // This client continues with a copy of another one's disk.
      case 2:
        if let twin = clients.first(where: { $0 !== client && $0.name == client.name }) {
          forget(client) { $0.disk = SimulatedDisk(copying: twin.disk) }
          forget(twin) { _ in }
          (client.hasCopy, twin.hasCopy) = (true, true)
        }
      case 3: break
      default: await begin(client)
      }
      return
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45:
      for _ in 0..<Int.random(in: 1...3, using: &random) { store.dispatch(action(of: client)) }
    case 45..<55: store.dispatch(batch: (0..<2).map { _ in action(of: client) })
    case 55..<65: clock.advance(by: .milliseconds(Int.random(in: 1...8000, using: &random)))
    case 65: clock.advance(by: .seconds(Int.random(in: 1...150, using: &random)))
    case 66..<72: life.connection.isCut.toggle()
    case 72..<75: life.connection.isSlow.toggle()
    case 75..<80: kill(client)
    case 80..<88: acknowledge(life, of: client)
    case 88..<94: confirm(action(of: client), in: life, of: client)
    case 94..<96: client.backup = SimulatedDisk(copying: client.disk)
    case 96: faultiness = Double.random(in: 0...0.4, using: &random)
    case 97: log.faults = [[], .losesSignals, .doublesSignals].randomElement(using: &random)!
    default: start { try? await store.broadcast("hello") }
    }
  }

  private func action(of client: SimulatedClient) -> CountedAction {
    let other = clients.randomElement(using: &random)!.name
    let row = CountedAction.Kind.row(
      Int.random(in: 0..<5, using: &random), group: Int.random(in: -4..<5, using: &random))
    let kinds: [CountedAction.Kind] = [
      .add, .add, .mark(other, by: client.name), .upload, .open(true), .open(false), .type(by: client.name),
      .type(by: client.name), .undo(by: nil), .undo(by: client.name), row, row, .take,
    ]
    return CountedAction(id: nextID(), kind: kinds.randomElement(using: &random)!)
  }

  private func nextID() -> Int {
    lastID += 1
    return lastID
  }

  // MARK: Lives

  private func begin(_ client: SimulatedClient) async {
    let outbox = SimulatedOutbox(client.disk) { [self] in
      await delay(isSlow: false)
    } fails: { [self] in
      Double.random(in: 0..<1, using: &random) < faultiness / 4
    }
    let life = SimulatedLife(outbox, SimulatedConnection(to: log, in: self))
    client.lives += 1
    let settings = TreeSettings(clock: clock, executor: executor)
    guard
      let store = try? await SharedStore(
        Counted(), feature(of: client, life), life.connection, LogClient(client.name, incarnation: random.next()),
        outbox,
        SharedForm(), self.settings, .unspecified, settings)
    else { return complain("an outbox cannot be opened") }
    (life.store, client.life) = (store, life)
    let root = store.session.root
    life.subscriptions = [
      store.observe(on: .storeQueue) { [self] (state: Counted) in
        guard !life.isOver, state != root.shownAgain else { return }
        complain("Y1: \(client.name) shows \(state), not \(root.shownAgain)")
      },
      store.confirmed.observe(on: .storeQueue) { [self] (state: Counted) in
        if !life.isOver { check(state, of: client) }
      },
    ]
  }

  private func kill(_ client: SimulatedClient) {
    guard let life = client.life else { return }
    life.outbox.die(using: &random)
    (life.connection.isDead, life.isOver, life.store, life.subscriptions) = (true, true, nil, [])
    for task in life.tasks { task.cancel() }
    life.tasks = []
    client.life = nil
  }

  /// Changes a client's disk so that it may lose some of its content.
  private func forget(_ client: SimulatedClient, _ change: (SimulatedClient) -> Void) {
    change(client)
    acknowledged[client.name] = []
    client.forgotten.formUnion(1...max(lastID, 1))
    // Two outboxes may have the actions in progress. An outbox from before also doesn't recognize renumbered actions by their
    // new numbers.
    reference.mayComeTwice.formUnion(
      (1...max(lastID, 1)).filter { reference.positions[$0] == nil || client.hasCopy })
  }

  private func feature(of client: SimulatedClient, _ life: SimulatedLife) -> Feature<Counted, CountedAction> {
    Feature(
      interceptors: [
        .stamping(by: { [self] in Stamp(seed: random.next()) }) { action, stamp in
          action.stamp == nil
            ? CountedAction(id: action.id, kind: action.kind, stamp: stamp().seed) : nil
        },
        Interceptor { [self] action, _ in
          intercepted[action.id, default: 0] += 1
          if intercepted[action.id] != 1 { complain("Y3: action \(action.id) is intercepted twice") }
          life.shown.append(action.id)
          return .pass
        },
      ],
      effects: { [self] state, action in
        if !life.isOver { noteEffect(of: action, state, at: client) }
        return .none
      },
      stateEffects: [
        StateEffect(\.upload) { [self] state in
          if !life.isOver { noteJob(state, at: client) { $0.uploader } }
          return .run { dispatch in
            await self.delay(isSlow: true)
            dispatch(CountedAction(id: self.nextID(), kind: .uploaded))
          }
        },
        StateEffect(while: \.isOpen) { [self] state in
          if !life.isOver { noteJob(state, at: client) { $0.opener } }
          return .none
        },
      ],
      reducer: CountedAction.reduce
    )
  }

  // MARK: Checking

  /// Checks a state on which all clients should agree.
  private func check(_ state: Counted, of client: SimulatedClient) {
    guard state.count <= reference.end, state == reference.moments[state.count].state else {
      return complain("Y1: \(client.name) has confirmed \(state) of \(reference.end) actions")
    }
  }

  private func noteEffect(of action: CountedAction, _ state: Counted, at client: SimulatedClient) {
    check(state, of: client)
    performed[action.id, default: 0] += 1
    guard let position = reference.positions[action.id] else {
      // If a copy of the outbox is in use, a snapshot may have another action with the same number.
      if client.hasCopy { return }
      return complain("Y3: the effect of action \(action.id) runs, which is not in the log")
    }
    if reference.senders[action.id] != client.name {
      complain("Y3: \(client.name) performs the effect of an action of another client")
    }
    if performed[action.id]! > clients.reduce(0, { $1.name == client.name ? $0 + $1.lives : $0 }) {
      complain("Y3: the effect of action \(action.id) is performed twice")
    }
    // For the same reason, the snapshot's state may be older.
    if state.count < position, !client.hasCopy {
      complain("Y3: the effect of action \(action.id) is declared with a state before it")
    }
  }

  private func noteJob(
    _ state: Counted,
    at client: SimulatedClient,
    _ beginner: (SyncReference.Moment) -> String?
  ) {
    check(state, of: client)
    guard state.count <= reference.end else { return }
    let beginner = beginner(reference.moments[state.count])
    if beginner != client.name {
      complain("Y3: \(client.name) performs the job that \(beginner ?? "nobody") has begun")
    }
  }

  private func acknowledge(_ life: SimulatedLife, of client: SimulatedClient) {
    let shown = Set(life.shown)
    guard let store = life.store else { return }
    start { [self] in
      guard (try? await store.flush()) != nil, !life.isOver else { return }
      acknowledged[client.name, default: []].formUnion(shown)
    }
  }

  private func confirm(_ action: CountedAction, in life: SimulatedLife, of client: SimulatedClient) {
    guard let store = life.store else { return }
    let task = start { [self] in
      let result: Confirmation<Counted>
      do throws(ConfirmationError) {
        result = try await store.dispatchConfirmed(action)
      } catch {
        // The client can't continue, and begins again without an outbox.
        if case .stopped(.copiedOutbox) = error { return }
        if !life.isOver, error != .storeGone { complain("an action is not confirmed: \(error)") }
        return
      }
      guard !life.isOver else { return }
      check(result.confirmed, of: client)
      guard let position = reference.positions[action.id], result.confirmed.count >= position else {
        if client.hasCopy { return }
        return complain("action \(action.id) was reported as confirmed, but is not")
      }
      acknowledged[client.name, default: []].insert(action.id)
    }
    life.tasks.append(task)
  }

  /// Makes everything work again, and checks the result.
  private func settle() async {
    faultiness = 0
    log.faults = []
    for client in clients {
      if client.life == nil { await begin(client) }
      client.life?.connection.isCut = false
      client.life?.connection.isSlow = false
    }
    let isSettled = { [self] in
      clients.allSatisfy { client in
        let status = client.life!.store!.status.state
        return status.waiting == 0 && status.position == reference.end && status.isConnected
      }
    }
    var turns = 0
    repeat {
      executor.run()
      if turns > 0, isSettled() { break }
      await beginAnewWhereCopied()
      clock.advance(by: .seconds(21))
      turns += 1
    } while turns < 60 && complaint == nil
    guard complaint == nil else { return }
    guard isSettled() else {
      return complain("they do not agree: \(clients.map { "\($0.name) \($0.life!.store!.status.state)" })")
    }
    checkEnd()
    if complaint == nil, Int.random(in: 0..<10, using: &random) == 0 { await replaceLog() }
  }

  /// Restarts the clients without an outbox that cannot find out which of their actions the log has.
  private func beginAnewWhereCopied() async {
    for client in clients {
      guard case .copiedOutbox = client.life?.store?.status.state.stop else { continue }
      if client.forgotten.isEmpty { complain("Y2: the outbox of \(client.name) is not a copy") }
      kill(client)
      forget(client) { $0.disk = SimulatedDisk() }
      await begin(client)
    }
  }

  private func checkEnd() {
    let last = reference.moments[reference.end]
    for client in clients {
      guard let store = client.life?.store else { continue }
      if store.confirmed.state != last.state { complain("Y1: \(client.name) has a different state at the end") }
      if store.state != last.state { complain("Y1: \(client.name) shows a different state at the end") }
      for id in acknowledged[client.name] ?? [] where reference.positions[id] == nil && !client.hasCopy {
        complain("Y2: action \(id), which was acknowledged, is not in the log")
      }
      let isForgotten = clients.contains { $0.name == client.name && !$0.forgotten.isEmpty }
      if last.uploader == client.name, !isForgotten { complain("Y3: an upload has not ended") }
    }
    for (id, _) in reference.positions where performed[id] == nil {
      let senders = clients.filter { $0.name == reference.senders[id] }
      if !senders.contains(where: { $0.forgotten.contains(id) }) {
        complain("Y3: the effect of action \(id) is not performed")
      }
    }
  }

  /// Replaces the log with another one. All clients stop, and nothing is lost.
  private func replaceLog() async {
    isReplaced = true
    log.replace()
    for client in clients { client.life?.store?.dispatch(CountedAction(id: nextID(), kind: .add)) }
    executor.run()
    clock.advance(by: .seconds(41))
    executor.run()
    for client in clients {
      guard let store = client.life?.store else { continue }
      let status = store.status.state
      if status.stop != .anotherLog || status.waiting != 1 { complain("Y4: \(client.name) continues: \(status)") }
      if store.state.count != reference.end + 1 { complain("Y4: \(client.name) has lost something") }
      if store.confirmed.state != reference.moments[reference.end].state { complain("Y4: \(client.name) went on") }
    }
  }
}
