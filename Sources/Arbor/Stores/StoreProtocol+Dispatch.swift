extension StoreProtocol {
  /// Sends an action to this store and its ancestors.
  ///
  /// - From any thread. Returns at once, before the action is reduced: it never waits for user code.
  /// - Every action is accepted while the owner lives. Once the owner is gone the call does nothing, and debug builds
  ///   report it once for each store.
  /// - A producer that is faster than the reducers grows memory. Use `await dispatchAndWait(_:)` for back-pressure.
  @inlinable
  public func dispatch(_ action: Action) {
    let store = asStore
    if !store.sink.dispatch(action) { store.reportUseAfterRelease() }
  }

  /// Sends actions that are reduced as one step: for each action its interceptors and then its reducers, in order, and
  /// after the last one a single round of notification.
  ///
  /// - Actions that interceptors dispatch meanwhile are reduced after the whole batch. An empty batch is no step.
  @inlinable
  public func dispatch(batch actions: [Action]) {
    let store = asStore
    if !store.sink.submit(.batch(actions)) { store.reportUseAfterRelease() }
  }

  /// Sends an action, and returns after it was reduced and the observers on the store's queue were called.
  ///
  /// - Waits for everything that was accepted before the call, and for nothing more: neither for effects, see
  ///   ``perform(_:isolation:)``, nor for actions that interceptors and observers dispatch. The calling thread may run
  ///   that work, callbacks included.
  /// - On the main thread, the waiting deliveries for the main actor are made before it returns.
  /// - Inside a reducer, interceptor or observer of the same tree it would wait forever: it stops the program with a
  ///   message. Use ``dispatch(_:)`` there.
  /// - Returns at once if the owner is gone.
  @available(*, noasync, message: "await the asynchronous form; at the top level of main.swift call it from a function")
  @inlinable
  public func dispatchAndWait(_ action: Action) {
    let store = asStore
    if !store.sink.submit(.waiting(action)) { store.reportUseAfterRelease() }
  }

  /// Sends an action, and resumes after it was reduced and the observers on the store's queue were called.
  ///
  /// - Blocks no thread meanwhile. The cancellation of the task is ignored: the action is sent and waited for all the
  ///   same.
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
