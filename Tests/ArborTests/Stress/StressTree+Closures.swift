import Arbor

/// The error that tasks throw.
struct TaskError: Error {}

extension Ground {
  func noteEffectError(_ error: any Error) {
    flaws.expect(error is TaskError, "an effect has thrown \(error)")
  }
}

extension StressTree {
  /// An interceptor of the plain form, which keeps `dispatch` for later.
  func makePlainInterceptor() -> @Sendable (Action, @escaping @Sendable (Action) -> Void) -> Void {
    let token = ground.token("plain interceptor")
    return { [unowned self] action, dispatch in
      witness.within("plain interceptor") {
        withExtendedLifetime(token) { keep(dispatch, of: action.slip) }
      }
    }
  }

  func makeInterceptor<State>(
    level: Int,
    flaw: @escaping @Sendable (State) -> String?
  ) -> Interceptor<State, Action> {
    let token = ground.token("interceptor")
    return Interceptor { [unowned self] action, context in
      witness.within("interceptor") {
        withExtendedLifetime(token) {
          let slip = action.slip
          if slip.lane != Slip.noLane, level == slip.depth, slip.fate != .isReplacement { noteJudged(slip) }
          if let flaw = flaw(context.state) { ground.flaws.note("in an interceptor of \(name): \(flaw)") }
          keep(context.dispatch, of: slip)
          if isGrown, ground.mayMeddle(oneIn: 60) {
            activities.straysEmitted.count()
            context.emit(StressActivity(lane: Slip.noLane, sequence: 0))
          }
          if ground.mayMeddle(oneIn: 40) { meddle(mayRead: true) }
          guard slip.judge == level else { return .pass }
          switch slip.fate {
          case .pass, .isReplacement: return .pass
          case .drop: return .drop
          case .replace: return .replace(with: action.replaced(in: self))
          }
        }
      }
    }
  }

  /// Uses an interceptor's `dispatch` now or later.
  private func keep(_ dispatch: @escaping @Sendable (Action) -> Void, of slip: Slip) {
    guard isGrown, ground.mayMeddle(oneIn: 40) else { return }
    let later: @Sendable () -> Void = { [unowned self] in dispatch(stray(depth: slip.depth)) }
    if ground.dice.hits(oneIn: 2) { later() } else { dispatches.exchange(later, at: ground.dice.roll(8)) }
  }

  func makeEffects<State>(
    level: Int,
    flaw: @escaping @Sendable (State) -> String?
  ) -> @Sendable (State, Action) -> Effect<Action> {
    let token = ground.token("effects")
    return { [unowned self] state, action in
      witness.within("effects") {
        withExtendedLifetime(token) {
          asked[level].count()
          if let flaw = flaw(state) { ground.flaws.note("in the effects of \(name): \(flaw)") }
          let slip = action.slip
          guard slip.lane != Slip.noLane, ground.dice.hits(oneIn: 8) else { return .none }
          return makeEffect(level: level, isCertain: slip.lane < ground.threads, parts: 3)
        }
      }
    }
  }

  /// - Parameter isCertain: `true` if nobody can revoke what is sent at once.
  private func makeEffect(level: Int, isCertain: Bool, parts: Int) -> Effect<Action> {
    let dice = ground.dice
    switch dice.roll(parts > 0 ? 10 : 6) {
    case 0, 1: return .send(isCertain ? echo(depth: level) : stray(depth: level))
    case 2: return .cancel(dice.roll(TaskPlan.keys.count))
    case 3, 4, 5:
      let plan = TaskPlan(dice)
      return .run(
        key: plan.key,
        mode: plan.mode,
        operation: makeBody(plan, level: level, throwsError: dice.hits(oneIn: 5))
      )
    case 6, 7:
      return .merge((0..<parts).map { _ in makeEffect(level: level, isCertain: isCertain, parts: parts - 1) })
    default:
      return .concatenate((0..<parts).map { _ in makeEffect(level: level, isCertain: false, parts: parts - 1) })
    }
  }

  /// The body of a task of a level.
  ///
  /// - Parameters:
  ///   - exclusion: Sees the bodies that never run at once; nil for the one of the level's waiting tasks.
  ///   - record: Keeps what the task sends; nil where it may come to nothing.
  func makeBody(
    _ plan: TaskPlan,
    level: Int,
    throwsError: Bool = false,
    exclusion: ExclusionWitness? = nil,
    record: TaskRecord? = TaskRecord()
  ) -> Effect<Action>.Operation {
    let token = meddlingToken("task")
    let exclusion = exclusion ?? (plan.isQueued ? queued[level] : nil)
    return { [unowned self] dispatch in
      exclusion?.enter()
      await withTaskCancellationHandler {
        for number in 0..<plan.actions {
          record?.sent.count()
          let kind = record.map { Mark.Kind.task($0, number: number) } ?? .stray
          dispatch(.carrying(Mark(slip: .inNoLane(depth: level), kind: kind), in: self))
          if ground.dice.hits(oneIn: 2) { await Task.yield() }
        }
      } onCancel: {
        // That may be in a callback.
        if ground.mayMeddle(oneIn: 4) { meddle(mayRead: false) }
      }
      exclusion?.leave()
      withExtendedLifetime(token) {}
      if throwsError { throw TaskError() }
    }
  }

  // MARK: Work

  func makeRootWork() -> [StateEffect<Ledger, Action>] {
    let token = ground.token("state effect")
    return [
      StateEffect(looking { $0.work }) { [unowned self] ledger in
        withExtendedLifetime(token) { makeWork(0, level: 0, flaw: ledger.flaw) }
      },
      StateEffect(
        each: looking { $0.elements },
        { $0.work },
        effect: { [unowned self] ledger, element in makeWork(1 + element.id, level: 0, flaw: ledger.flaw) }
      ),
    ]
  }

  /// The effect of an attempt, which never runs beside another one and heeds no cancellation.
  private func makeWork(_ number: Int, level: Int, flaw: String?) -> Effect<Action> {
    witness.within("state effect") {
      if let flaw { ground.flaws.note("in a state effect of \(name): \(flaw)") }
      let (token, exclusion, dice) = (ground.token("work"), works[number], ground.dice)
      // A child's own work ends by its own reducer.
      let change: StressChange = level > 0 ? .none : .work(number, [.succeed, .retry, .fail][dice.roll(3)])
      return .run(key: dice.hits(oneIn: 2) ? 20 + number : nil) { [unowned self] dispatch in
        exclusion.enter()
        for _ in 0..<dice.roll(6) { await Task.yield() }
        withExtendedLifetime(token) {
          dispatch(.carrying(Mark(slip: .inNoLane(depth: level), kind: .stray, change: change), in: self))
        }
        exclusion.leave()
      }
    }
  }

  // MARK: Child stores

  func makeLasting(below store: Store<Ledger, Action>, level: Int) -> StoreObject<Ledger, Action> {
    let token = ground.token("child's reducer")
    return store.childStore(
      initialState: StressLocal(level: level, token: ground.token("child's state")),
      stateMapping: { [witness] ledger, local in
        witness.within("mapping") {
          var composed = ledger
          composed.locals.append(local.count)
          if let flaw = local.flaw { composed.note(flaw) }
          return composed
        }
      },
      interceptors: [makeInterceptor(level: level) { $0.flaw }],
      effects: makeEffects(level: level) { $0.flaw },
      stateEffects: [
        StateEffect({ $0.work }) { [unowned self] local in
          makeWork(Ledger.elements + level, level: level, flaw: local.flaw)
        }
      ],
      reducer: { [witness] local, action in
        witness.within("child's reducer") { withExtendedLifetime(token) { local.reduce(action.slip) } }
      }
    )!
  }

  /// A child store that lives for a while, and counts the actions of its lane.
  func makeTemporary(
    below store: Store<Ledger, Action>,
    _ initial: Temporary
  ) -> StoreObject<Ledger, Action>? {
    let token = ground.token("temporary")
    return store.childStore(
      initialState: 0,
      stateMapping: { [witness] ledger, count in
        witness.within("mapping") {
          var composed = ledger
          composed.temporary = (ledger.temporary ?? initial).composed(with: count)
          return composed
        }
      },
      reducer: { [unowned self] count, action in
        witness.within("child's reducer") {
          guard action.slip.lane == initial.lane else { return }
          count += 1
          withExtendedLifetime(token) { reducedByTemporaries.count() }
        }
      }
    )
  }

  /// A child store that others may replace at any time.
  func makeShared(depth: Int) -> StoreObject<Ledger, Action>? {
    let token = ground.token("shared")
    return stores[depth].childStore(
      initialState: 0,
      stateMapping: { [witness] ledger, _ in witness.within("mapping") { ledger } },
      reducer: { [unowned self] count, action in
        witness.within("child's reducer") {
          // Others may have come by an interceptor's `dispatch`.
          guard action.slip.sequence > 0 else { return }
          count += 1
          withExtendedLifetime(token) { reducedByShared.count() }
        }
      }
    )
  }
}
