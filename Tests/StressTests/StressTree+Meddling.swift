import Arbor

/// Use of a tree that is legal anywhere: in its own callbacks, in those of the other tree, in tasks, and in the ends of
/// tokens.
extension StressTree {
  /// Performs an operation on the tree that does not wait; or reads it if that is allowed.
  func meddle(mayRead: Bool) {
    guard isGrown, !ground.isResting else { return }
    let level = ground.dice.roll(Ledger.levels + 1)
    switch ground.dice.roll(mayRead ? 24 : 17) {
    case 0...4: send(level)
    case 5...8: watch(level)
    case 9: keepOrEnd()
    case 10, 11: makeOrReleaseChild(level)
    case 12...14: useTasks(level)
    case 15:
      activities.straysEmitted.count()
      stores[level].emit(StressActivity(lane: Slip.noLane, sequence: 0))
    case 16: meddleElsewhere(mayRead)
    case 17, 18: combineValues()
    default: read(level)
    }
  }

  /// A token whose end uses the tree.
  func meddlingToken(_ kind: String) -> StressToken {
    guard ground.mayMeddle(oneIn: 4) else { return ground.token(kind) }
    return ground.token(kind) { [unowned self] in meddle(mayRead: false) }
  }

  /// A token whose end waits for the tree: for closures that were made outside callbacks, and that the engine releases.
  func waitingToken(_ kind: String) -> StressToken {
    guard ground.mayMeddle(oneIn: 2) else { return ground.token(kind) }
    return ground.token(kind) { [unowned self] in
      guard !ground.isResting else { return }
      let level = ground.dice.roll(Ledger.levels + 1)
      let echo = Mark(slip: .inNoLane(depth: level), kind: .echo)
      echoesSent.count()
      ground.flaws.expect(Action.wait(for: echo, in: stores[level], self), "O5 a token's last action was not a step")
    }
  }

  private func send(_ level: Int) {
    let dice = ground.dice
    switch dice.roll(6) {
    case 0:
      stores[level].dispatch(batch: [
        echo(depth: level, closesStep: false), echo(depth: level, closesStep: false), echo(depth: level),
      ])
    case 1: scopes[level].dispatch(echo(depth: level))
    case 2: optionalScopes[level].dispatch(stray(depth: level))
    case 3:
      let verb = WorkVerb.allCases[dice.roll(WorkVerb.allCases.count)]
      stores[level].dispatch(echo(depth: level, change: .work(dice.roll(3), verb)))
    case 4: stores[level].dispatch(echo(depth: level, change: .token(meddlingToken("state"))))
    default: dispatches.peek(dice.roll(8))?()
    }
  }

  private func watch(_ level: Int) {
    let dice = ground.dice
    let look: @Sendable (Ledger) -> Void = { [unowned self] _ in meddleInObserver() }
    switch dice.roll(5) {
    case 0:
      let observer = StateWitness(.everyStep, witness, on: ground, calls: 1 + dice.roll(10), look: look).returning
      stores[level].subscribe(observer: observer)
    case 1, 2:
      let witness = StateWitness(.everyStep, witness, on: ground, calls: 40, look: look)
      ground.keep(witness)
      stores[level].subscribe(observer: witness.completing)
      if dice.hits(oneIn: 2) {
        completions.exchange({ witness.end() }, at: dice.roll(8))
      } else {
        ends.exchange({ if witness.end() { witness.expectNoCall() } }, at: dice.roll(8))
      }
    default:
      let way = StressDelivery(dice, on: ground.queues)
      let overlap = way.isOnStoreQueue ? self.witness : OverlapWitness("an observation of \(name)", ground.flaws)
      let witness = StateWitness(way.rule, overlap, on: ground) { [unowned self] _ in
        if way.isOnStoreQueue {
          meddleInObserver()
        } else if ground.mayMeddle(oneIn: 30) {
          meddle(mayRead: true)
        }
      }
      let token = meddlingToken("observation")
      let subscription = way.observe(stores[level], initial: dice.hits(oneIn: 2)) { state in
        withExtendedLifetime(token) { witness.body(state) }
      }
      if way.isOnStoreQueue, dice.hits(oneIn: 2) {
        let end: @Sendable () -> Void = {
          subscription.cancel()
          witness.expectNoCall()
        }
        ends.exchange(end, at: dice.roll(8))
      } else {
        subscriptions.exchange(subscription, at: dice.roll(8))
      }
    }
  }

  /// Performs an operation that an observer on the store's queue may perform, and ends another observer, which is not
  /// called again.
  func meddleInObserver() {
    if ground.mayMeddle(oneIn: 20) { ends.exchange(nil, at: ground.dice.roll(8))?() }
    if ground.mayMeddle(oneIn: 40) { meddle(mayRead: true) }
  }

  private func keepOrEnd() {
    let place = ground.dice.roll(8)
    switch ground.dice.roll(6) {
    case 0, 1: subscriptions.exchange(nil, at: place)
    case 2: subscriptions.peek(place)?.cancel()
    case 3: subscriptions.peek(place)?.storeWhileSourceActive()
    default: completions.exchange(nil, at: place)?()
    }
  }

  private func combineValues() {
    let dice = ground.dice
    let place = dice.roll(8)
    guard dice.roll(3) > 0, let value = values.peek(place) else {
      values.exchange(nil, at: place)
      return
    }
    let token = meddlingToken("derived")
    let combined = Derived<(Int, Int)>.combined(value, changes)
    let sum = combined.derived { pair in withExtendedLifetime(token) { pair.0 &+ pair.1 } }
    let overlap = OverlapWitness("a value's observation", ground.flaws)
    let observer = ValueWitness<Int>(overlap, on: ground) {
    } isInOrder: {
      $0 != $1
    }
    subscriptions.exchange(sum.observe(initial: dice.hits(oneIn: 2), observer.body), at: dice.roll(8))
    // Not of itself repeatedly.
    values.exchange(value.derived { value in withExtendedLifetime(token) { value &* 2 } }, at: dice.roll(8))
  }

  private func makeOrReleaseChild(_ level: Int) {
    let place = ground.dice.roll(8)
    guard ground.dice.roll(3) > 0 else {
      children.exchange(nil, at: place)
      return
    }
    let token = meddlingToken("child")
    let above = ground.dice.hits(oneIn: 3) ? children.peek(place)?.store() : stores[level]
    let child = above?.childStore(
      initialState: token,
      stateMapping: { [witness] ledger, _ in witness.within("mapping") { ledger } },
      reducer: { [witness] _, _ in witness.within("child's reducer") {} }
    )
    children.exchange(child, at: place)
  }

  private func useTasks(_ level: Int) {
    let dice = ground.dice
    let isOptional = dice.hits(oneIn: 4)
    let store = isOptional ? optionalScopes[level] : dice.hits(oneIn: 3) ? scopes[level] : stores[level]
    switch dice.roll(6) {
    case 0: store.cancel(dice.hits(oneIn: 4) ? TaskPlan.queuedKey : dice.roll(TaskPlan.keys.count))
    case 1: store.cancelAllTasks()
    case 2: tasks.exchange(nil, at: dice.roll(8))?()
    default:
      let plan = TaskPlan(dice)
      // Equal keys of a scope with its own actions are different keys.
      guard !plan.isQueued else { return start(plan, level, in: stores[level], TaskRecord()) }
      start(plan, level, in: store, isOptional ? nil : TaskRecord())
    }
  }

  private func start(_ plan: TaskPlan, _ level: Int, in store: Store<Ledger, Action>, _ record: TaskRecord?) {
    let task = store.task(key: plan.key, mode: plan.mode, operation: makeBody(plan, level: level, record: record))
    tasks.exchange({ task.cancel() }, at: ground.dice.roll(8))
  }

  private func read(_ level: Int) {
    let dice = ground.dice
    switch dice.roll(5) {
    case 0, 1:
      // Callbacks may be in the middle of a batch.
      if let flaw = stores[level].state?.flaw { ground.flaws.note("a state that was read: \(flaw)") }
    case 2: _ = stores[level].isRunning(dice.roll(3))
    case 3: select(at: stores[level])
    default:
      let token = meddlingToken("derived")
      let value = stores[level].derived(looking { state in withExtendedLifetime(token) { state.steps } })
      values.exchange(value, at: dice.roll(8))
    }
  }

  /// Reads a selector made of others, and the state together with it.
  func select(at store: Store<Ledger, Action>) {
    guard let pair = store.select(Ledger.twins) else { return }
    ground.flaws.expect(pair.first == pair.second, "a selector was given \(pair), which ought to be twins")
  }
}
