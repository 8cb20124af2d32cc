import Arbor

/// The effects of actions and states, and the work of tasks.
extension Engine {
  /// - Parameters:
  ///   - part: The kind of the parts whose feature has the effects; nil if it is the feature of the whole.
  ///   - digest: Makes the digest that is recorded with an action.
  func effects<State, Action: Carrier>(
    of node: Int,
    _ part: StatePart.Kind? = nil,
    noting digest: @escaping @Sendable (State) -> UInt64
  ) -> @Sendable (State, Action) -> Effect<Action> {
    { [unowned self] state, action in
      let number = action.carried.number
      let place = Place(.effects, node, part)
      note(.asked, node, number, digest(state))
      react(to: number, at: place)
      guard case .effect(let effect) = scripts.deed(about: number, at: place) else { return .none }
      return self.effect(effect)
    }
  }

  func stateEffects<Action: Carrier>(of node: Int, _ plan: NodePlan) -> [StateEffect<SimulatedState, Action>] {
    guard let job = plan.job else { return [] }
    return [
      StateEffect(\.job) { [unowned self] state in
        note(.askedForState, node, state.digest.count)
        return effect(job.effect)
      }
    ]
  }

  /// - Parameter handler: The node whose feature handles the errors; 0 for the tree.
  func report<Action>(
    as handler: Int = 0
  ) -> @Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void {
    { [unowned self] _, _, error in
      if let failure = error as? ProgramFailure { note(.reported, failure.program, Int32(handler)) }
    }
  }

  func effect<Action: Carrier>(_ plan: EffectPlan) -> Effect<Action> {
    switch plan {
    case .none: .none
    case .send(let script): .send(.carrying(Int32(script.number), in: self))
    case .batch(let scripts): .send(batch: scripts.map { .carrying(Int32($0.number), in: self) })
    case .catching(let effect, let script):
      self.effect(effect).onFailure { [unowned self] _ in .carrying(Int32(script.number), in: self) }
    case .cancel(let key, nil): .cancel(key)
    case .cancel(let key, .always): .cancel(key, at: .part(\SimulatedState.always))
    case .cancel(let key, .optional): .cancel(key, at: .part(\SimulatedState.parts.optional))
    case .cancel(let key, .element(let id)): .cancel(key, at: .element(id, of: \SimulatedState.parts.elements))
    case .merge(let effects): .merge(effects.map { effect($0) })
    case .concatenate(let effects): .concatenate(effects.map { effect($0) })
    case .run(let key, let mode, let program):
      .run(key: key, mode: mode.taskMode) { [unowned self] dispatch in
        try await run(program, isEffect: true) { [unowned self] number in
          dispatch(.carrying(Int32(number), in: self))
        }
      }
    }
  }

  /// Runs the work of a task.
  func run(_ program: Program, isEffect: Bool, _ send: @Sendable (Int) -> Void) async throws {
    note(.began, program.number)
    for (index, part) in program.parts.enumerated() {
      switch part {
      case .send(let script): send(script.number)
      case .perform(let operation): perform(operation)
      case .sleep, .wait:
        guard await rest(part, program) else {
          note(.ended, program.number, -1)
          throw CancellationError()
        }
        note(.wentOn, program.number, Int32(index) + 1)
      case .fail:
        note(.ended, program.number, -2)
        throw ProgramFailure(program: program.number)
      }
    }
    note(.ended, program.number)
  }

  /// Sleeps, or waits at a gate.
  ///
  /// - Returns: `true` if the task continues; `false` if it was canceled and heeds that.
  private func rest(_ part: Program.Part, _ program: Program) async -> Bool {
    guard !program.heeds || !Task.isCancelled else { return false }
    let sleeper = Sleeper(part, in: self)
    guard program.heeds else {
      await sleeper.sleep()
      return true
    }
    await withTaskCancellationHandler {
      await sleeper.sleep()
    } onCancel: {
      sleeper.wake()
    }
    return !Task.isCancelled
  }
}

/// A task that sleeps on the clock, or waits at a gate.
final class Sleeper: @unchecked Sendable {  // The executor runs everything on the calling thread.
  /// The gate at which it waits, if any.
  let gate: Int?
  private let duration: Int
  private unowned let engine: Engine
  private var continuation: UnsafeContinuation<Void, Never>?
  private var alarm: Int?

  init(_ part: Program.Part, in engine: Engine) {
    self.engine = engine
    if case .wait(let gate) = part { self.gate = gate } else { gate = nil }
    if case .sleep(let duration) = part { self.duration = duration } else { duration = 0 }
  }

  func sleep() async {
    await withUnsafeContinuation { continuation in
      self.continuation = continuation
      if gate == nil {
        alarm = engine.executor.setAlarm(after: duration) { [self] in wake() }
      } else {
        engine.gates.append(self)
      }
    }
  }

  /// Resumes the task, once.
  func wake() {
    if let alarm { engine.executor.stop(alarm) }
    engine.gates.removeAll { $0 === self }
    continuation.take()?.resume()
  }
}

/// The error that a task throws.
struct ProgramFailure: Error {
  let program: Int
}

extension Mode {
  var taskMode: TaskMode {
    switch self {
    case .parallel: .parallel
    case .dropCurrent: .dropCurrent
    case .waitInCurrent: .waitInCurrent
    case .keepCurrent: .keepCurrent
    case .debounce(let duration): .debounce(.seconds(duration))
    case .throttle(let duration, let latest): .throttle(.seconds(duration), latest: latest)
    }
  }
}
