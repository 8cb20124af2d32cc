/// A subscriber's closure, together with the state that was delivered last and the cancellation flag.
final class Receiver<State: Sendable>: ObserverControl, @unchecked Sendable {
  // Sendable because deliveries are serial, `mayStillSkip` is used on the store's queue only, and the flag is atomic. A
  // skipped first state is stored on the store's queue before any delivery is sent.
  private var body: Body?
  private let keepsPrevious: Bool
  private var previous: State?
  private let cancelled = AtomicFlag(false)

  /// `true` while the first state, which is not to be delivered, has not come yet. On the store's queue.
  private(set) var mayStillSkip: Bool

  init(skipsFirst: Bool, keepsPrevious: Bool, _ body: @escaping @Sendable (Changes<State>) -> Void) {
    mayStillSkip = skipsFirst
    self.keepsPrevious = keepsPrevious
    self.body = Body(call: body)
    super.init()
  }

  /// The closure as an object, so that it can be released later.
  private final class Body {
    let call: @Sendable (Changes<State>) -> Void

    init(call: @escaping @Sendable (Changes<State>) -> Void) {
      self.call = call
    }
  }

  /// `true` once the subscription was cancelled: no call begins any more. From any thread.
  var isCancelled: Bool { cancelled.load() }

  /// Cancels the subscription: no call begins any more. From any thread.
  override func cancel() {
    cancelled.store(true)
  }

  // MARK: On the store's queue

  /// Notices that there is no initial state, so that there is none to be skipped.
  override func noticeAbsence() -> ObserverStatus {
    mayStillSkip = false
    return .active
  }

  /// Returns `true` for the first state if it is not to be delivered; it counts as delivered then.
  ///
  /// - Called for each state, in order.
  func consumeInitialSkip(_ state: State) -> Bool {
    guard mayStillSkip else { return false }
    mayStillSkip = false
    if keepsPrevious { previous = state }
    return true
  }

  // MARK: On the queue of the delivery

  /// Calls the closure with a state, unless the subscription was cancelled.
  func deliver(_ state: State) {
    guard !isCancelled else { return }
    let changes = Changes(current: state, previous: previous)
    if keepsPrevious { previous = state }
    body?.call(changes)
    // Cancelled inside its own call: the closure is released after the call.
    guard isCancelled, let released = body.take() else { return }
    Tree.releaseLater(released)
  }
}
