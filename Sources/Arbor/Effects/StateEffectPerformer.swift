/// Performs a ``StateEffect``: compares each state with what it performs. On the tree's queue only.
final class StateEffectPerformer<State: Sendable, Action: Sendable>: @unchecked Sendable {  // The queue owns it.
  /// An attempt that is in progress.
  private struct Attempt {
    let number: Int
    var isDue: Bool

    /// What it performs; nil until there is anything.
    var group: EffectGroup?

    /// When it was last found in the state.
    var round: UInt64
  }

  private let declaration: StateEffect<State, Action>
  private let perform: (Effect<Action>, EffectGroup) -> Void

  /// Calls a closure with the state, in a step of its own, when a time has passed.
  private let wait: (Duration, @escaping @Sendable (State) -> Void) -> Void

  private var attempts: [TaskKey: Attempt] = [:]
  private var round: UInt64 = 0

  init(
    _ declaration: StateEffect<State, Action>,
    wait: @escaping (Duration, @escaping @Sendable (State) -> Void) -> Void,
    perform: @escaping (Effect<Action>, EffectGroup) -> Void
  ) {
    self.declaration = declaration
    self.wait = wait
    self.perform = perform
  }

  /// There is a new state.
  func follow(_ state: State) {
    round += 1
    var left: [EffectGroup] = []
    declaration.forEach(state) { id, work, effect in
      let attempt = attempts[id]
      guard attempt?.round != round, work.isInProgress else { return }
      if let attempt, attempt.number == work.attemptsBegun {
        attempts[id]?.round = round
      } else {
        if let group = attempt?.group { group.cancel() }
        begin(id, work)
      }
      ask(id, effect)
    }
    for (id, attempt) in attempts where attempt.round != round {
      attempts[id] = nil
      if let group = attempt.group { left.append(group) }
    }
    for group in left { group.cancel() }
  }

  private func begin(_ id: TaskKey, _ work: EffectState) {
    let (number, delay) = (work.attemptsBegun, work.delay)
    attempts[id] = Attempt(number: number, isDue: delay == .zero, round: round)
    guard delay > .zero else { return }
    wait(delay) { [weak self] state in
      guard let self, attempts[id]?.number == number else { return }
      attempts[id]?.isDue = true
      follow(state)
    }
  }

  /// Asks for the effect of an attempt, if it is time to and there was none before.
  private func ask(_ id: TaskKey, _ effect: () -> Effect<Action>) {
    guard let attempt = attempts[id], attempt.isDue, attempt.group == nil else { return }
    let effect = effect()
    guard !effect.isNone else { return }
    let group = EffectGroup { _ in }
    attempts[id]?.group = group
    perform(effect, group)
  }
}
