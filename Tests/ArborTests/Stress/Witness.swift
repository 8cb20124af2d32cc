import Arbor

/// An observer of the stress test, which notes every state that it should not have been given.
final class Witness: Sendable {
  private struct Memory: Sendable {
    var lastStep: Int?
    var awaitedRepeats = 0
    var callsLeft: Int
    var isEnded = false
    var callsAfterEnd = 0
    var complete: Observer<Composition>.StatusHandler?
    private(set) var flaws: [String] = []

    /// Keeps the first flaws: what follows is of no more use.
    mutating func note(_ flaw: String) {
      if flaws.count < 3 { flaws.append(flaw) }
    }
  }

  private let memory: Protected<Memory>

  /// Whether it must see each step; behind an optional scope it does not.
  private let seesEveryStep: Bool

  /// Whether it is sure to be called when it is subscribed again: it neither ends by itself nor misses a state.
  let canRepeat: Bool

  /// - Parameter calls: After how many calls it says `.dead` itself.
  init(seesEveryStep: Bool = true, calls: Int = .max) {
    self.seesEveryStep = seesEveryStep
    canRepeat = seesEveryStep && calls == .max
    memory = Protected(Memory(callsLeft: calls))
  }

  /// An observer that ends with what it returns.
  var returning: Observer<Composition> {
    Observer { [self] in note($0, complete: nil) }
  }

  /// An observer that may be ended from anywhere.
  var completing: Observer<Composition> {
    Observer { [self] state, complete in complete(note(state, complete: complete)) }
  }

  /// What it was given and should not have been, or the other way round.
  var flaws: [String] {
    memory.withLock { memory in
      memory.awaitedRepeats == 0 ? memory.flaws : memory.flaws + ["subscribed again, but not sent the state again"]
    }
  }

  /// Says that the observer is about to be subscribed to the same store once more.
  func awaitRepeat() {
    memory.withLock { $0.awaitedRepeats += 1 }
  }

  /// Ends the observer from here, if it has been called yet.
  func end() -> Bool {
    guard let complete = memory.withLock({ $0.complete }) else { return false }
    complete(.dead)
    expectSilence()
    return true
  }

  /// From now on at most one call may come: the one that was already chosen.
  func expectSilence() {
    memory.withLock { memory in
      memory.isEnded = true
      memory.complete = nil
    }
  }

  private func note(_ state: Composition, complete: Observer<Composition>.StatusHandler?) -> ObserverStatus {
    memory.withLock { memory in
      if let flaw = state.flaw { memory.note(flaw) }
      note(step: state.ledger.steps, in: &memory)
      if memory.isEnded { memory.callsAfterEnd += 1 } else { memory.complete = complete }
      if memory.callsAfterEnd > 1 { memory.note("called again after its end") }
      memory.callsLeft -= 1
      if memory.callsLeft < 0 { memory.note("called after it said .dead") }
      return memory.callsLeft > 0 ? .active : .dead
    }
  }

  private func note(step: Int, in memory: inout Memory) {
    defer { memory.lastStep = step }
    guard let last = memory.lastStep else { return }
    if step == last, memory.awaitedRepeats > 0 {
      memory.awaitedRepeats -= 1
    } else if seesEveryStep ? step != last + 1 : step <= last {
      memory.note("step \(step) came after \(last)")
    }
  }
}
