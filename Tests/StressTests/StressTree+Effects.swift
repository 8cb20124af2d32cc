import Arbor

extension Ground {
  func noteEffectError(_ error: any Error) {
    flaws.expect(error is TaskError, "an effect threw \(error)")
  }
}

/// The effects and state effects of the lasting stores, and the bodies of tasks.
extension StressTree {
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

  /// Makes an effect of any form.
  ///
  /// - Parameter isCertain: `true` if actions that are sent immediately cannot be revoked.
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
  ///   - exclusion: Checks the bodies that never run at once; nil for the witness of the level's waiting tasks.
  ///   - record: Records the actions that the task sends; nil if they may have no effect.
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

  /// The effect of an attempt, which never runs next to another one and ignores cancellation.
  func makeWork(_ number: Int, level: Int, flaw: String?) -> Effect<Action> {
    witness.within("state effect") {
      if let flaw { ground.flaws.note("in a state effect of \(name): \(flaw)") }
      let (token, exclusion, dice) = (ground.token("work"), works[number], ground.dice)
      // A child's own work ends through its own reducer.
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
}
