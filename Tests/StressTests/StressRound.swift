import Arbor
import Dispatch
import TestSupport

/// A round of the stress test: two new trees, some threads and tasks that use them, a rest, checks, and the end of
/// everything.
struct StressRound {
  private let seed: UInt64
  private let ground: Ground
  private let operations: Int

  /// Makes a round.
  ///
  /// - Parameters:
  ///   - seed: Determines the number of threads, the activity of callbacks, and the operations.
  ///   - operations: The total number of operations of all threads.
  init(seed: UInt64, operations: Int) {
    self.seed = seed
    self.operations = operations
    var random = SplitMix64(seed: seed)
    let threads = Int.random(in: 4...8, using: &random)
    let meddlings = operations * [0, 1, 2, 2, 5].randomElement(using: &random)!
    ground = Ground(seed: seed, threads: threads, meddlings: meddlings)
  }

  /// Plays the round.
  ///
  /// - Returns: The flaws found.
  func play() -> [String] {
    do {
      var random = SplitMix64(seed: seed &+ 1)
      let first = StressTree<StressAction>(
        "the first tree",
        on: ground,
        isFollowed: true,
        isMonitored: Bool.random(using: &random)
      )
      let second = StressTree<Mutation<Ledger>>(
        "the second tree",
        on: ground,
        isFollowed: Int.random(in: 0..<4, using: &random) > 0,
        isMonitored: Bool.random(using: &random)
      )
      // Callbacks of the first tree may wait for the second, so those of the second never wait for the first.
      first.meddleElsewhere = { [unowned second] mayRead in second.meddle(mayRead: mayRead) }
      second.meddleElsewhere = { [unowned first] _ in first.meddle(mayRead: false) }
      play(first, second)
      ground.endMeddling()
      first.fell()
      second.fell()
      ground.forgetCompletions()
      ground.flushQueues()
      if let held = ground.census.waitUntilEmpty() {
        ground.flaws.note("L2, L3 not freed, or not once: \(held)")
      }
      withExtendedLifetime((first, second)) {}
    }
    // Another thread may still be about to release an object.
    if let held = ground.trees.waitUntilEmpty() {
      ground.flaws.note("L3 objects that a tree has released hold its stores: \(held)")
    }
    return ground.flaws.all
  }

  private func play(_ first: StressTree<StressAction>, _ second: StressTree<Mutation<Ledger>>) {
    let workers = RecordedValues<StressWorker>()
    let (firstLanes, secondLanes) = (RecordedValues<Lane>(), RecordedValues<Lane>())
    let tasks = DispatchGroup()
    for number in 0..<2 {
      launch(StressTask(first, lane: ground.threads + number, seed: seed), firstLanes, in: tasks)
      launch(StressTask(second, lane: ground.threads + number, seed: seed &+ 7), secondLanes, in: tasks)
    }
    onThreads(ground.threads) { [seed, operations, ground] lane in
      var worker = StressWorker(first, second, lane: lane, seed: seed)
      worker.work(operations: operations / ground.threads)
      workers.append(worker)
    }
    tasks.wait()
    ground.endMeddling()
    rest(first, second)
    let done = workers.values
    guard let firstLedger = first.ledger, let secondLedger = second.ledger else {
      return ground.flaws.note("the root has no state")
    }
    let outcome = Outcome(first: firstLedger, second: secondLedger)
    check(first, firstLedger, done.map(\.first.lane) + firstLanes.values)
    check(second, secondLedger, done.map(\.second.lane) + secondLanes.values)
    for worker in done { worker.check(outcome) }
  }

  private func launch<Action>(_ task: StressTask<Action>, _ lanes: RecordedValues<Lane>, in group: DispatchGroup) {
    group.enter()
    Task { [operations] in
      var task = task
      await task.work(operations: operations / 60)
      lanes.append(task.lane)
      group.leave()
    }
  }

  /// Waits until there are no more tasks, actions or deliveries.
  private func rest(_ first: StressTree<StressAction>, _ second: StressTree<Mutation<Ledger>>) {
    var activity = -1
    while true {
      first.settle()
      second.settle()
      let now = (first.ledger?.right ?? 0) + (second.ledger?.right ?? 0)
      // Once more, for work of each tree that the other one has caused.
      _ = (first.ledger, second.ledger)
      ground.flushQueues()
      if now == activity { return }
      activity = now
    }
  }

  private func check<Action>(_ tree: StressTree<Action>, _ ledger: Ledger, _ lanes: [Lane]) {
    let flaws = ground.flaws
    let lanes = lanes.sorted { $0.number < $1.number }
    func expect(_ what: String, _ found: [Int], _ expected: [Int]) {
      flaws.expect(found == expected, "\(tree.name) at rest, \(what): \(found) instead of \(expected)")
    }
    if let flaw = ledger.flawBetweenSteps { flaws.note("\(tree.name) at rest: \(flaw)") }
    let unused = [Int](repeating: 0, count: Ledger.lanes - lanes.count)
    expect("O5 actions reduced", ledger.next, lanes.map(\.place) + unused)
    expect("O5 actions judged", tree.judgedCounts, lanes.map(\.sequence) + unused)
    expect("O5 echoes", [ledger.echoes], [tree.echoesSent.value])
    expect("O4 replaced", [ledger.replacements], [lanes.reduce(0) { $0 + $1.replaced }])
    expect(
      "O5 reduced by temporary child stores", [tree.reducedByTemporaries.value],
      [
        lanes.reduce(0) { $0 + $1.throughTemporaries }
      ])
    expect("O5 reduced by shared child stores", [tree.reducedByShared.value], [ledger.shared])
    expect("effects asked", tree.asked.map(\.value), [ledger.right] + ledger.passed)
    tree.activities.check(emitted: lanes.map(\.emitted) + unused)
    tree.monitor?.check(reduced: ledger.right, dropped: lanes.reduce(0) { $0 + $1.dropped })
    tree.witness.check()
    for record in tree.records.withLock({ $0 }) {
      expect("O5 reduced actions of a task that was not canceled", [record.reduced.value], [record.sent.value])
    }
    for (record, limit) in tree.cancelled.withLock({ $0 }) where record.reduced.value > limit {
      flaws.note("O2 \(record.reduced.value) actions of a canceled task were reduced, but at most \(limit)")
    }
    flaws.expect(tree.changes.value == ledger.changes, "W1 \(tree.changes.value) instead of \(ledger.changes)")
    flaws.expect(tree.steps.value == ledger.steps, "W1 \(tree.steps.value) instead of \(ledger.steps)")
    tree.checkIdle()
  }
}
