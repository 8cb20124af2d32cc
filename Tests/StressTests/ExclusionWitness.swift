import Synchronization

/// Detects simultaneous runs of task bodies that exclude each other.
final class ExclusionWitness: Sendable {
  private let name: String
  private let flaws: FlawList
  private let isInside = Atomic(false)

  init(_ name: String, _ flaws: FlawList) {
    self.name = name
    self.flaws = flaws
  }

  func enter() {
    if isInside.exchange(true, ordering: .relaxed) { flaws.note("two bodies of \(name) run at once") }
  }

  func leave() {
    isInside.store(false, ordering: .relaxed)
  }
}
