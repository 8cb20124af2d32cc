/// A subscription of an observer that wants states of one type.
@usableFromInline
final class StateSubscription<State: Sendable>: Subscription, @unchecked Sendable {  // As its superclass.
  /// Calls the observer, unless it has ended, and returns dead if it said so in this call.
  @usableFromInline let call: @Sendable (State) -> ObserverStatus

  /// Nil for an observer that is not called without a state.
  private let absence: (@Sendable () -> ObserverStatus)?

  /// Nil for an observer that says by what it returns whether it has ended.
  private let completing: CompletingCall<State>?

  @usableFromInline
  init(_ observer: Observer<State>, scope: Identity, port: Port) {
    switch observer.form {
    case .returning(let observe):
      call = observe
      completing = nil
      absence = nil
    case .noticing(let observe):
      call = { state in observe(state) }
      completing = nil
      absence = { observe(nil) }
    case .completing(let observe):
      let completing = CompletingCall(observe, port: port)
      call = { state in completing.call(with: state) }
      self.completing = completing
      absence = nil
    }
    super.init(key: Key(observer: observer.identity, scope: scope), pause: observer.pause)
    completing?.subscription = Unmanaged.passUnretained(self)
  }

  override func report(_ status: ObserverStatus) {
    completing?.report(status, of: self)
  }

  override func takeClosure() -> AnyObject? {
    completing?.takeClosure()
  }

  @usableFromInline
  override func noticeAbsence() -> ObserverStatus {
    absence?() ?? .active
  }
}
