/// Calls an observer that says by `complete` whether it has ended.
final class CompletingCall<State: Sendable>: @unchecked Sendable {  // The queue owns its variables.
  @exclusivity(unchecked)
  private var observe: (@Sendable (State, @escaping Observer<State>.StatusHandler) -> Void)?

  /// The subscription that makes the calls.
  @exclusivity(unchecked)
  var subscription: Unmanaged<Subscription>!

  private let port: Port

  init(_ observe: @escaping @Sendable (State, @escaping Observer<State>.StatusHandler) -> Void, port: Port) {
    self.observe = observe
    self.port = port
  }

  /// Calls the observer.
  ///
  /// - Returns: Dead if it has ended by now, wherever that was said.
  func call(with state: State) -> ObserverStatus {
    guard let observe else { return .dead }
    let subscription = self.subscription.takeUnretainedValue()
    // Captures one object, which costs no allocation.
    observe(state) { status in subscription.report(status) }
    return subscription.isEnded ? .dead : .active
  }

  /// Ends the subscription if the status is dead; from any thread, any number of times.
  func report(_ status: ObserverStatus, of subscription: Subscription) {
    if status == .dead { port.end(subscription) }
  }

  /// Takes out the observer's closure, which may hold this very object.
  func takeClosure() -> AnyObject? {
    observe.take().map { TakenClosure($0) }
  }

  /// A closure as an object, to be released later.
  private final class TakenClosure {
    private let closure: @Sendable (State, @escaping Observer<State>.StatusHandler) -> Void

    init(_ closure: @escaping @Sendable (State, @escaping Observer<State>.StatusHandler) -> Void) {
      self.closure = closure
    }
  }
}
