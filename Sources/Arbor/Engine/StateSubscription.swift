/// A subscription of an observer that wants states of one type.
@usableFromInline
final class StateSubscription<State: Sendable>: Subscription, @unchecked Sendable {  // As its superclass.
  @usableFromInline let call: @Sendable (State) -> ObserverStatus

  @inlinable
  init(_ observer: Observer<State>, scope: Identity, port: Port) {
    let key = Key(observer: observer.identity, scope: scope)
    switch observer.form {
    case .returning(let observe):
      call = observe
      super.init(key: key, ending: nil)
    case .completing(let observe):
      let completing = CompletingCall(observe, port: port)
      call = { state in completing.call(with: state) }
      super.init(key: key, ending: completing)
      completing.subscription = Unmanaged.passUnretained(self)
    }
  }
}
