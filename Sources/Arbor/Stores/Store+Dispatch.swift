extension Store {
  /// Sends an action up the tree.
  ///
  /// - From any thread. Returns at once: it never blocks on user code and never drops the action. A producer that is
  ///   faster than the reducers grows memory; `await dispatchAndWait(_:)` is the brake.
  @inlinable
  public func dispatch(_ action: Action) {
    if !sink.dispatch(action) { complain() }
  }

  /// Sends actions that are reduced as one step: for each its interceptors and then its reducers, in order, and after
  /// the last one a single notification.
  ///
  /// - What interceptors dispatch meanwhile goes behind the whole batch. An empty batch is no step.
  @inlinable
  public func dispatch(batch actions: [Action]) {
    if !sink.submit(.batch(actions)) { complain() }
  }

  /// Sends an action and returns once it was reduced and the observers on the store's queue were called.
  ///
  /// - Waits for everything that was accepted before the call, and for no more.
  /// - Inside a reducer, interceptor or observer of the same tree it could only deadlock: it stops the program and says
  ///   so. Use ``dispatch(_:)`` there.
  @available(*, noasync, message: "await the asynchronous form; at the top level of main.swift call it from a function")
  @inlinable
  public func dispatchAndWait(_ action: Action) {
    if !sink.submit(.waiting(action)) { complain() }
  }

  /// Sends an action and resumes once it was reduced and the observers on the store's queue were called.
  ///
  /// - No thread is blocked meanwhile. The action is sent even if the task was cancelled.
  @inlinable
  public func dispatchAndWait(_ action: Action, isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation { continuation in
      let isAccepted = sink.submit(.awaited(action, effects: nil) { continuation.resume() })
      if isAccepted {
        taskWaits()
      } else {
        complain()
        continuation.resume()
      }
    }
    hurryMain()
  }

  /// Delivers at once what waits for the main actor, if this is on it.
  @usableFromInline
  func hurryMain() {
    address?.mailbox.main.hurry()
  }

  /// A task is about to suspend until an action of it was reduced.
  @usableFromInline
  func taskWaits() {
    address?.mailbox.taskWaits()
  }

  @usableFromInline
  func complain() {
    address?.complain(about: identity)
  }
}
