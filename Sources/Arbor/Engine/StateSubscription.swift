/// A subscription of an observer that wants states of one type.
@usableFromInline
final class StateSubscription<State: Sendable>: Subscription, @unchecked Sendable {  // As its superclass.
  @usableFromInline
  @exclusivity(unchecked)
  var call: ((State) -> ObserverStatus)?

  /// Whether the observer is being called at this moment. Looked at on the queue only.
  @usableFromInline
  @exclusivity(unchecked)
  var isBeingCalled = false

  private let port: Port

  @inlinable
  convenience init(_ observer: Observer<State>, key: Key?, port: Port) {
    self.init(key: key, port: port)
    switch observer.form {
    case .returning(let observe):
      call = observe
    case .completing(let observe):
      // Holds this subscription, which holds it: `releaseClosure` cuts the circle when the subscription ends.
      let complete: Observer<State>.StatusHandler = { self.report($0) }
      call = { [unowned(unsafe) self] state in
        self.isBeingCalled = true
        observe(state, complete)
        self.isBeingCalled = false
        return .active
      }
    }
  }

  @usableFromInline
  init(key: Key?, port: Port) {
    self.port = port
    super.init(key: key)
  }

  /// What an observer's `complete` does: from any thread, any number of times, at any time.
  @usableFromInline
  func report(_ status: ObserverStatus) {
    guard status == .dead, end() else { return }
    // In its own call: whoever made the call takes it out once the observer has returned.
    guard !(port.mailbox.isInside && isBeingCalled) else { return }
    port.mailbox.rearrange(at: port.door) { node in
      unsafeDowncast(node, to: Node.self).unlink(self)
    } afterwards: {
      self.releaseClosure()
    }
  }

  @usableFromInline
  override func releaseClosure() {
    let released = call
    call = nil
    _ = consume released
  }
}
