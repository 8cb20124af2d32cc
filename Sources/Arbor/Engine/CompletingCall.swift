/// Calls an observer that says by `complete` whether it has ended.
final class CompletingCall<State: Sendable>: @unchecked Sendable {  // The queue owns its variables.
  @exclusivity(unchecked)
  private var observe: (@Sendable (State, @escaping Observer<State>.StatusHandler) -> Void)?

  /// The subscription that makes the calls.
  @exclusivity(unchecked)
  var subscription: Unmanaged<Subscription>!

  @exclusivity(unchecked)
  private var isBeingCalled = false

  /// Whether the observer said in its own call that it is dead.
  @exclusivity(unchecked)
  private var hasEndedInCall = false

  private let port: Port

  init(_ observe: @escaping @Sendable (State, @escaping Observer<State>.StatusHandler) -> Void, port: Port) {
    self.observe = observe
    self.port = port
  }

  /// Calls the observer, unless it has ended.
  ///
  /// - Returns: Dead if it said so in this call. What it says elsewhere ends it by itself.
  func call(with state: State) -> ObserverStatus {
    let subscription = self.subscription.takeUnretainedValue()
    guard !subscription.isEnded, let observe else { return .active }
    isBeingCalled = true
    // Captures one object, which costs no allocation.
    observe(state) { status in subscription.report(status) }
    isBeingCalled = false
    if hasEndedInCall { return .dead }
    // Said on another thread meanwhile: the closure goes with its last call, its subscription before the next round.
    if subscription.isEnded { self.observe = nil }
    return .active
  }

  /// Ends the subscription if the status is dead; from any thread, any number of times.
  func report(_ status: ObserverStatus, of subscription: Subscription) {
    guard status == .dead, port.mailbox.end(subscription, at: port.door) else { return }
    if let node = port.residentInside {
      guard !isBeingCalled else {
        hasEndedInCall = true
        return
      }
      unsafeDowncast(node, to: Node.self).discount(subscription)
    }
    port.mailbox.rearrange(at: port.door) { node in
      unsafeDowncast(node, to: Node.self).unlink(subscription)
    } afterwards: {
      self.releaseClosure()
    }
  }

  /// Lets go of the observer's closure, which may hold this very object. Called once the subscription is out of its list.
  func releaseClosure() {
    let released = observe
    observe = nil
    _ = consume released
  }
}
