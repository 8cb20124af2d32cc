import Arbor
import Dispatch

/// The history of one subscription of states: the received states, and their flaws.
final class StateWitness: Sendable {
  enum Rule: Sendable {
    /// It must receive each step once.
    case everyStep

    /// It may receive fewer steps, in order.
    case laterSteps
  }

  private struct Memory: Sendable {
    var lastStep: Int?
    var lastNext: [Int]?
    var callsLeft: Int
    var isEnded = false
    var callsAllowedAfterEnd = 1
    var awaitedRepeats = 0
    var complete: Observer<Ledger>.StatusHandler?
    var awaited: (step: Int, semaphore: DispatchSemaphore)?
  }

  private let rule: Rule
  private let overlap: OverlapWitness
  private let ground: Ground
  private let token: StressToken

  /// The lane that subscribed, and how many of its actions were accepted before.
  private let floor: (lane: Int, place: Int)?
  private let look: @Sendable (Ledger) -> Void
  private let memory: Protected<Memory>

  /// Makes a witness of one subscription.
  ///
  /// - Parameters:
  ///   - overlap: Detects calls that overlap with each other, or with other closures of the tree.
  ///   - calls: The number of calls after which it reports `.dead` itself.
  ///   - look: Called with each state.
  init(
    _ rule: Rule,
    _ overlap: OverlapWitness,
    on ground: Ground,
    floor: (lane: Int, place: Int)? = nil,
    calls: Int = .max,
    look: @escaping @Sendable (Ledger) -> Void
  ) {
    self.rule = rule
    self.overlap = overlap
    self.floor = floor
    self.look = look
    self.ground = ground
    token = ground.token("observer")
    memory = Protected(Memory(callsLeft: calls))
  }

  /// `true` if it is certainly called when it is subscribed again: it neither ends by itself nor misses a state.
  var canRepeat: Bool {
    if case .everyStep = rule { memory.withLock { $0.callsLeft > Int.max / 2 } } else { false }
  }

  /// An observer that ends by its return value.
  var returning: Observer<Ledger> {
    Observer { [self] in note($0, complete: nil) }
  }

  /// An observer that can be ended from anywhere.
  var completing: Observer<Ledger> {
    Observer { [self] state, complete in complete(note(state, complete: complete)) }
  }

  /// The body of an observation.
  var body: @Sendable (Ledger) -> Void {
    { [self] state in _ = note(state, complete: nil) }
  }

  /// Expects another subscription of the observer to the same store.
  func awaitRepeat() {
    memory.withLock { $0.awaitedRepeats += 1 }
  }

  /// Ends the observer from here, if it has been called.
  @discardableResult
  func end() -> Bool {
    guard let complete = memory.withLock({ $0.complete }) else { return false }
    complete(.dead)
    expectSilence()
    return true
  }

  /// Expects at most one more call: one that was already chosen.
  func expectSilence() {
    let complete = memory.withLock { memory in
      memory.isEnded = true
      return memory.complete.take()
    }
    withExtendedLifetime(complete) {}
  }

  /// Expects no more calls, because its end was reported where it is called.
  func expectNoCall() {
    memory.withLock { $0.callsAllowedAfterEnd = 0 }
    expectSilence()
  }

  /// Expects that it has received a state with a number of actions of a lane, if it has received any.
  func expectSeen(_ place: Int, of lane: Int) {
    guard canRepeat, let next = memory.withLock({ $0.isEnded ? nil : $0.lastNext }), next[lane] < place else { return }
    ground.flaws.note("S2 a call has waited for action \(place) of a lane, but an observer has seen \(next[lane])")
  }

  /// Expects that the last received state is that of a step, after all deliveries.
  ///
  /// - Parameters:
  ///   - isSure: `true` if it must have received a state.
  ///   - mayWait: `true` if the delivery comes later.
  func check(lastStep step: Int, isSure: Bool, mayWait: Bool) {
    let semaphore = DispatchSemaphore(value: 0)
    let last = memory.withLock { memory in
      if mayWait, memory.lastStep != step { memory.awaited = (step, semaphore) }
      return memory.lastStep
    }
    if last == step || last == nil && !isSure { return }
    if mayWait, ground.patience.wait(for: semaphore) { return }
    ground.flaws.note("N1 the last state of an observer was \(String(describing: last)) instead of \(step)")
  }

  /// Expects that it was subscribed again as often as it received the state again.
  func checkRepeats() {
    let missing = memory.withLock { $0.isEnded ? 0 : $0.awaitedRepeats }
    ground.flaws.expect(missing == 0, "N6 an observer was subscribed again, but not sent the state again")
  }

  func note(_ flaw: String) {
    ground.flaws.note(flaw)
  }

  private func note(_ state: Ledger, complete: Observer<Ledger>.StatusHandler?) -> ObserverStatus {
    overlap.within("observer") {
      if let flaw = state.flawBetweenSteps { ground.flaws.note("an observer: \(flaw)") }
      var flaw: String?
      var status = ObserverStatus.dead
      let awaited: DispatchSemaphore? = memory.withLock { memory in
        flaw = note(state, in: &memory)
        if !memory.isEnded { memory.complete = complete }
        memory.callsLeft -= 1
        if memory.callsLeft < 0 { flaw = "N4 called after it returned .dead" }
        if memory.callsLeft > 0 { status = .active }
        return memory.awaited?.step == state.steps ? memory.awaited.take()?.semaphore : nil
      }
      if let flaw { ground.flaws.note("an observer: \(flaw)") }
      withExtendedLifetime(token) { look(state) }
      awaited?.signal()
      return status
    }
  }

  private func note(_ state: Ledger, in memory: inout Memory) -> String? {
    if memory.isEnded {
      memory.callsAllowedAfterEnd -= 1
      if memory.callsAllowedAfterEnd < 0 { return "N4 called again after its end" }
    }
    defer {
      memory.lastStep = state.steps
      memory.lastNext = state.next
    }
    guard let last = memory.lastStep else {
      guard let floor, state.next[floor.lane] < floor.place else { return nil }
      return "N2 began with action \(state.next[floor.lane]) of a lane that had sent \(floor.place)"
    }
    let isRight =
      switch rule {
      case .everyStep: state.steps == last + 1
      case .laterSteps: state.steps > last
      }
    if isRight { return nil }
    if state.steps == last, memory.awaitedRepeats > 0 {
      memory.awaitedRepeats -= 1
      return nil
    }
    return "N1 step \(state.steps) came after \(last)"
  }
}
