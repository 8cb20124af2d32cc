internal import Synchronization

/// A subscriber's closure with what it remembers: what was delivered last, and whether it was cancelled.
final class Receiver<State: Sendable>: @unchecked Sendable {  // Its delivery is serial; the flag is atomic.
  private var body: (@Sendable (Changes<State>) -> Void)?
  private let keepsPrevious: Bool
  private var previous: State?
  private(set) var skipsFirst: Bool
  private let cancelled = Atomic(false)

  init(
    skipsFirst: Bool,
    keepsPrevious: Bool,
    _ body: @escaping @Sendable (Changes<State>) -> Void
  ) {
    self.skipsFirst = skipsFirst
    self.keepsPrevious = keepsPrevious
    self.body = body
  }

  /// From any thread.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Lets no call begin any more. From any thread.
  func cancel() {
    cancelled.store(true, ordering: .releasing)
  }

  /// There was no state at the beginning.
  func skipNothing() {
    skipsFirst = false
  }

  /// Calls the closure, unless the state need not be delivered.
  func receive(_ state: State) {
    if admits(state) { give(state) }
  }

  /// Whether a state is to be delivered. Asked once for each, in order: it counts as delivered then.
  func admits(_ state: State) -> Bool {
    guard !isCancelled else { return false }
    guard skipsFirst else { return true }
    skipsFirst = false
    if keepsPrevious { previous = state }
    return false
  }

  /// Calls the closure.
  func give(_ state: State) {
    guard !isCancelled, let body else { return }
    let changes = Changes(current: state, previous: previous)
    if keepsPrevious { previous = state }
    body(changes)
    // Cancelled in its own call: the closure goes with it.
    if isCancelled { self.body = nil }
  }
}
