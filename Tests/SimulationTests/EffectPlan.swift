/// The effects of an action, or of an attempt at some work.
indirect enum EffectPlan: Sendable {
  case none
  case send(Script)
  case batch([Script])
  case run(key: Int?, Mode, Program)
  case cancel(key: Int, at: StatePart?)
  case merge([EffectPlan])
  case concatenate([EffectPlan])

  /// Sends an action when a task fails or is canceled.
  case catching(EffectPlan, Script)
}

/// The effect of a new task on itself and on earlier tasks with the same key.
enum Mode: Equatable, Sendable {
  case parallel, dropCurrent, waitInCurrent, keepCurrent
  case debounce(Int)
  case throttle(Int, latest: Bool)
}

/// The work of a task.
struct Program: Sendable {
  enum Part: Sendable {
    case send(Script)

    /// Sleeps on the clock.
    case sleep(Int)

    /// Waits for an operation.
    case wait(gate: Int)
    case perform(Operation)

    /// Throws an error.
    case fail
  }

  let number: Int

  /// `true` if it ends when it is canceled; otherwise it ignores that.
  var heeds = true
  var parts: [Part]
}

/// A change of work that is a function of a state.
enum JobVerb: Equatable, Sendable {
  case run(maxAttempts: Int, delay: Int)
  case restart, retry, succeed, fail, cancel, reset
}
