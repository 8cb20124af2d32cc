/// A subscriber's closure, together with the last delivered state.
final class Receiver<State: Sendable>: @unchecked Sendable {
  // Sendable because deliveries are serial. A skipped first state is stored on the store's queue before any delivery is
  // sent.

  /// The engine's connection to the subscriber.
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

  /// Returns `true` for the first state if it must not be delivered; it then counts as delivered.
  ///
  /// - Called for each state, in order.
  func consumeInitialSkip(_ state: State) -> Bool {
    guard control.mayStillSkip else { return false }
    control.mayStillSkip = false
    if keepsPrevious { previous = state }
    return true
  }

  // MARK: On the queue of the delivery

  /// Calls the closure with a state, unless the subscription was canceled.
  func deliver(_ state: State) {
    guard !control.isCancelled else { return }
    let changes = Changes(current: state, previous: previous)
    if keepsPrevious { previous = state }
    body?.call(changes)
    // Canceled inside its own call: the closure is released after the call.
    guard control.isCancelled, let released = body.take() else { return }
    Tree.releaseLater(released)
  }
}
