/// A subscriber's closure, together with the state that was delivered last.
final class Receiver<State: Sendable>: @unchecked Sendable {
  // Sendable because deliveries are serial. A skipped first state is stored on the store's queue before any delivery is
  // sent.

  /// The engine's contact with the subscriber.
  let control: ObserverControl

  private var body: Body?
  private let keepsPrevious: Bool
  private var previous: State?

  init(skipsFirst: Bool, keepsPrevious: Bool, _ body: @escaping @Sendable (Changes<State>) -> Void) {
    control = ObserverControl(skipsFirst: skipsFirst)
    self.keepsPrevious = keepsPrevious
    self.body = Body(call: body)
  }

  /// The closure as an object, so that it can be released later.
  private final class Body {
    let call: @Sendable (Changes<State>) -> Void

    init(call: @escaping @Sendable (Changes<State>) -> Void) {
      self.call = call
    }
  }

  // MARK: On the store's queue

  /// Returns `true` for the first state if it is not to be delivered; it counts as delivered then.
  ///
  /// - Called for each state, in order.
  func consumeInitialSkip(_ state: State) -> Bool {
    guard control.mayStillSkip else { return false }
    control.mayStillSkip = false
    if keepsPrevious { previous = state }
    return true
  }

  // MARK: On the queue of the delivery

  /// Calls the closure with a state, unless the subscription was cancelled.
  func deliver(_ state: State) {
    guard !control.isCancelled else { return }
    let changes = Changes(current: state, previous: previous)
    if keepsPrevious { previous = state }
    body?.call(changes)
    // Cancelled inside its own call: the closure is released after the call.
    guard control.isCancelled, let released = body.take() else { return }
    Tree.releaseLater(released)
  }
}
