/// What an action, or an attempt at some work, sets off.
indirect enum EffectPlan: Sendable {
  case none
  case send(Script)
  case batch([Script])
  case run(key: Int?, Mode, Program)
  case cancel(key: Int, at: StatePart?)
  case merge([EffectPlan])
  case concatenate([EffectPlan])

  /// Sends an action when a task fails or is cancelled.
  case catching(EffectPlan, Script)
}

/// What becomes of a new task and of those with the same key that were there before it.
enum Mode: Equatable, Sendable {
  case parallel, dropCurrent, waitInCurrent, keepCurrent
  case debounce(Int)
  case throttle(Int, latest: Bool)
}

/// What a task does.
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

  /// Whether it ends when it is cancelled; else it ignores that.
  var heeds = true
  var parts: [Part]
}

/// What becomes of work that is a function of a state.
enum JobVerb: Equatable, Sendable {
  case run(maxAttempts: Int, delay: Int)
  case restart, retry, succeed, fail, cancel, reset
}
