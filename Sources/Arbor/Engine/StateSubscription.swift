/// A subscription of an observer that wants states of one type.
@usableFromInline
final class StateSubscription<State: Sendable>: Subscription, @unchecked Sendable {  // As its superclass.
  @exclusivity(unchecked)
  @usableFromInline
  var call: ((State) -> ObserverStatus)?

  @inlinable
  init(_ observer: Observer<State>, key: Key?, port: Port) {
    super.init(key: key, port: port)
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
  override func releaseClosure() {
    let released = call
    call = nil
    _ = consume released
  }
}
