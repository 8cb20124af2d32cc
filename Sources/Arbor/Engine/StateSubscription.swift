/// A subscription of an observer that wants states of one type.
@usableFromInline
final class StateSubscription<State: Sendable>: Subscription, @unchecked Sendable {  // As its superclass.
  /// Calls the observer, unless it has ended, and returns dead if it said so in this call.
  @usableFromInline let call: @Sendable (State) -> ObserverStatus

  /// Nil for an observer that says by what it returns whether it has ended.
  private let completing: CompletingCall<State>?

  @usableFromInline
  init(_ observer: Observer<State>, scope: Identity, port: Port) {
    switch observer.form {
    case .returning(let observe):
      call = observe
      completing = nil
    case .noticing(let observe):
      call = { state in observe(state) }
      completing = nil
    case .completing(let observe):
      let completing = CompletingCall(observe, port: port)
      call = { state in completing.call(with: state) }
      self.completing = completing
    }
    super.init(key: Key(observer: observer.identity, scope: scope), pause: observer.pause)
    completing?.subscription = Unmanaged.passUnretained(self)
  }

  override func report(_ status: ObserverStatus) {
    completing?.report(status, of: self)
  }

  override func releaseClosure() {
    completing?.releaseClosure()
  }
}
