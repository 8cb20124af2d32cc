extension StoreProtocol {
  /// Sends an action up the tree.
  ///
  /// - From any thread. Returns at once, before the action is reduced: it never waits for user code.
  /// - No action is dropped while the owner is there. Once it is gone the call does nothing, and debug builds say so once.
  /// - A producer that is faster than the reducers grows memory; `await dispatchAndWait(_:)` is the brake.
  @inlinable
  public func dispatch(_ action: Action) {
    let store = asStore
    if !store.sink.dispatch(action) { store.reportUseAfterRelease() }
  }

  /// Sends actions that are reduced as one step: for each its interceptors and then its reducers, in order, and after
  /// the last one a single notification.
  ///
  /// - What interceptors dispatch meanwhile goes behind the whole batch. An empty batch is no step.
  @inlinable
  public func dispatch(batch actions: [Action]) {
    let store = asStore
    if !store.sink.submit(.batch(actions)) { store.reportUseAfterRelease() }
  }

  /// Sends an action and returns once it was reduced and the observers on the store's queue were called.
  ///
  /// - Waits for everything that was accepted before the call, and for no more: neither for effects, see
  ///   ``perform(_:isolation:)``, nor for actions that interceptors and observers dispatch. The calling thread may run that work,
  ///   callbacks included.
  /// - On the main thread, what is delivered there is delivered before it returns.
  /// - Inside a reducer, interceptor or observer of the same tree it could only deadlock: it stops the program and says
  ///   so. Use ``dispatch(_:)`` there.
  @available(*, noasync, message: "await the asynchronous form; at the top level of main.swift call it from a function")
  @inlinable
  public func dispatchAndWait(_ action: Action) {
    let store = asStore
    if !store.sink.submit(.waiting(action)) { store.reportUseAfterRelease() }
  }

  /// Sends an action and resumes once it was reduced and the observers on the store's queue were called.
  ///
  /// - No thread is blocked meanwhile. The action is sent even if the task was cancelled.
  @inlinable
  public func dispatchAndWait(_ action: Action, isolation: isolated (any Actor)? = #isolation) async {
    let store = asStore
    await withCheckedContinuation { continuation in
      let isAccepted = store.sink.submit(.awaited(action, effects: nil) { continuation.resume() })
      if isAccepted {
        store.taskWaits()
      } else {
        store.reportUseAfterRelease()
        continuation.resume()
      }
    }
    store.deliverMainNow()
  }
}
