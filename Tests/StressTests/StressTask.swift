import Arbor
import TestSupport

/// A task next to the threads of the stress test, in a separate lane, which uses all asynchronous calls.
struct StressTask<Action: StressCarrier>: Sendable {
  let tree: StressTree<Action>
  private(set) var lane: Lane
  private var random: SplitMix64

  init(_ tree: StressTree<Action>, lane: Int, seed: UInt64) {
    self.tree = tree
    self.lane = Lane(lane)
    random = SplitMix64(seed: seed &* 31 &+ UInt64(lane))
  }

  mutating func work(operations: Int) async {
    for _ in 0..<operations {
      let depth = Int.random(in: 0...Ledger.levels, using: &random)
      let store = tree.stores[depth]
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4:
        await store.dispatchAndWait(.carrying(lane.next(depth: depth), in: tree))
        check(store.state)
      case 4, 5: await perform(store, depth)
      case 6: await awaitTask(store, depth)
      case 7:
        let first = await store.state { $0.steps > 0 }
        if let flaw = first?.flawBetweenSteps { tree.ground.flaws.note("an awaited state: \(flaw)") }
      case 8: await follow(store, depth)
      case 9: await hear(store)
      default: tree.meddle(mayRead: true)
      }
    }
  }

  /// Performs an action, and sometimes stops waiting for its effects, which cancels them.
  private mutating func perform(_ store: Store<Ledger, Action>, _ depth: Int) async {
    let action = Action.carrying(lane.next(depth: depth), in: tree)
    let task = Task { await store.perform(action) }
    if Bool.random(using: &random) { task.cancel() }
    await task.value
  }

  private mutating func awaitTask(_ store: Store<Ledger, Action>, _ depth: Int) async {
    let plan = TaskPlan(tree.ground.dice)
    let operation = tree.makeBody(plan, level: depth)
    let task = store.task(key: plan.key, mode: plan.mode) { dispatch in
      try await operation(dispatch)
      return 7
    }
    if Int.random(in: 0..<4, using: &random) == 0 { task.cancel() }
    do {
      let value = try await task.value
      tree.ground.flaws.expect(value == 7, "a task's value is \(value)")
    } catch {
      tree.ground.flaws.expect(error is CancellationError, "a task threw \(error)")
    }
  }

  /// Takes a few of the following states, in order.
  private mutating func follow(_ store: Store<Ledger, Action>, _ depth: Int) async {
    var (last, count) = (-1, 0)
    for await state in store.states(buffering: Bool.random(using: &random) ? .unbounded : .newest(1)) {
      if let flaw = state.flawBetweenSteps { tree.ground.flaws.note("a sequence: \(flaw)") }
      tree.ground.flaws.expect(state.steps > last, "N1 a sequence gave step \(state.steps) after \(last)")
      (last, count) = (state.steps, count + 1)
      if count == 3 { break }
      await store.dispatchAndWait(tree.echo(depth: depth))
    }
  }

  /// Emits an activity and receives it.
  private func hear(_ store: Store<Ledger, Action>) async {
    let activities = store.activities(of: StressActivity.self)
    tree.activities.straysEmitted.count()
    store.emit(StressActivity(lane: Slip.noLane, sequence: 0))
    for await _ in activities { break }
  }

  private func check(_ state: Ledger?) {
    guard let state else { return tree.ground.flaws.note("a lasting store has no state") }
    if state.next[lane.number] != lane.place {
      tree.ground.flaws.note(
        "S2 a state has \(state.next[lane.number]) of the \(lane.place) actions that a task had awaited")
    }
  }
}
