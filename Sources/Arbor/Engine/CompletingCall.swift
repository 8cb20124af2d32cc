/// Calls an observer that says by `complete` whether it has ended.
@usableFromInline
final class CompletingCall<State: Sendable>: Ending, @unchecked Sendable {  // The queue owns its variables.
  @exclusivity(unchecked)
  private var observe: (@Sendable (State, @escaping Observer<State>.StatusHandler) -> Void)?

  /// The subscription that makes the calls, while it is in its list.
  @usableFromInline
  @exclusivity(unchecked)
  var subscription: Unmanaged<Subscription>?

  @exclusivity(unchecked)
  private var isBeingCalled = false

  /// Whether the observer said in its own call that it is dead.
  @exclusivity(unchecked)
  private var hasEndedInCall = false

  private let port: Port

  @usableFromInline
  init(_ observe: @escaping @Sendable (State, @escaping Observer<State>.StatusHandler) -> Void, port: Port) {
    self.observe = observe
    self.port = port
  }

  /// Calls the observer, unless it has ended.
  ///
  /// - Returns: Dead if it said so in this call. What it says elsewhere takes effect in its place among the entries.
  @usableFromInline
  func call(with state: State) -> ObserverStatus {
    guard !isEnded, let observe else { return .active }
    isBeingCalled = true
    observe(state) { status in self.report(status) }
    isBeingCalled = false
    if hasEndedInCall { return .dead }
    // Said on another thread meanwhile: the closure goes with its last call, its subscription when its turn comes.
    if isEnded { self.observe = nil }
    return .active
  }

  private func report(_ status: ObserverStatus) {
    guard status == .dead, end() else { return }
    guard !(port.mailbox.isInside && isBeingCalled) else {
      hasEndedInCall = true
      return
    }
    port.mailbox.rearrange(at: port.door) { node in
      guard let subscription = self.subscription?.takeUnretainedValue() else { return }
      unsafeDowncast(node, to: Node.self).unlink(subscription)
    } afterwards: {
      self.releaseClosure()
    }
  }

  @usableFromInline
  override func releaseClosure() {
    subscription = nil
    let released = observe
    observe = nil
    _ = consume released
  }
}
