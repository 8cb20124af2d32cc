internal import Synchronization

/// A subscriber's closure with what it remembers: the state that was delivered last, and its cancellation.
final class Receiver<State: Sendable>: ObserverControl, @unchecked Sendable {
  // Sendable because its delivery is serial, its store's queue has `mayStillSkip`, and the flag is atomic. What is remembered of
  // the first state is so before any delivery is sent.
  private var body: Body?
  private let keepsPrevious: Bool
  private var previous: State?
  private let cancelled = Atomic(false)

  /// `true` until the first state has come that is not to be delivered. On the store's queue.
  private(set) var mayStillSkip: Bool

  init(
    skipsFirst: Bool,
    keepsPrevious: Bool,
    _ body: @escaping @Sendable (Changes<State>) -> Void
  ) {
    mayStillSkip = skipsFirst
    self.keepsPrevious = keepsPrevious
    self.body = Body(call: body)
    super.init()
  }

  /// The closure as an object, to be let go of.
  private final class Body {
    let call: @Sendable (Changes<State>) -> Void

    init(call: @escaping @Sendable (Changes<State>) -> Void) {
      self.call = call
    }
  }

  /// From any thread.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Lets no call begin any more.
  override func cancel() {
    cancelled.store(true, ordering: .releasing)
  }

  // MARK: On the store's queue

  /// If there is no state to begin with, there is none to be skipped.
  override func noticeAbsence() -> ObserverStatus {
    mayStillSkip = false
    return .active
  }

  /// Asked for each state, in order: `true` for the first one if that is not to be delivered. It counts as delivered then.
  func consumeInitialSkip(_ state: State) -> Bool {
    guard mayStillSkip else { return false }
    mayStillSkip = false
    if keepsPrevious { previous = state }
    return true
  }

  // MARK: Where it is delivered

  /// Calls the closure, unless it was cancelled.
  func deliver(_ state: State) {
    guard !isCancelled else { return }
    let changes = Changes(current: state, previous: previous)
    if keepsPrevious { previous = state }
    body?.call(changes)
    // Cancelled in its own call: the closure goes with it, behind the call.
    guard isCancelled, let released = body.take() else { return }
    Tree.releaseLater(released)
  }
}
