public import Arbor
public import ArborPersistence
internal import Foundation

extension SharedStore {
  /// Sends an action, and returns when it is confirmed.
  ///
  /// - Waits for as long as the log cannot be reached. When it returns, ``confirmed`` has the action.
  /// - Parameters:
  ///   - action: The action, as it would be dispatched to this store.
  ///   - isolation: The actor on which the call is made; nil if it is made on none.
  /// - Returns: The state in which it was shown first, and the confirmed one.
  /// - Throws: ``ConfirmationError``. Except for ``ConfirmationError/notReduced`` the action is shown all the same, and goes on.
  @discardableResult
  public func dispatchConfirmed(_ action: Action, isolation: isolated (any Actor)? = #isolation)
    async throws(ConfirmationError) -> Confirmation<State>
  {
    let outcome = await outcome(of: action)
    return try outcome.get()
  }

  private func outcome(of action: Action, isolation: isolated (any Actor)? = #isolation)
    async -> Result<Confirmation<State>, ConfirmationError>
  {
    let waiting = Protected<CheckedContinuation<Result<Confirmation<State>, ConfirmationError>, Never>?>(nil)
    @Sendable func resume(_ outcome: Result<Confirmation<State>, ConfirmationError>) {
      waiting.withLock { $0.take() }?.resume(returning: outcome)
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0 = continuation }
        session.root.dispatch(action, to: asStore) { isStep in
          if !isStep { resume(.failure(.notReduced)) }
        } completion: { [weak session] confirmation in
          if let confirmation {
            resume(.success(Confirmation(shown: confirmation.shown, confirmed: confirmation.confirmed)))
          } else if let reason = session?.stopReason.withLock({ $0 }) {
            resume(.failure(.stopped(reason)))
          } else {
            resume(.failure(.storeGone))
          }
        }
        if Task.isCancelled { resume(.failure(.cancelled)) }
      }
    } onCancel: {
      resume(.failure(.cancelled))
    }
  }

  /// Returns when the outbox has all actions that were accepted before: from then on they are not lost.
  ///
  /// - Throws: The first error of the outbox; `StorageError.cannotEncode` if an action is shown that cannot be encoded, which
  ///   is gone when the program ends.
  public func flush() async throws(StorageError) {
    // Actions that were dispatched before are in the outbox's store once this returns.
    await asStore.dispatchAndWait(batch: [])
    try await session.outbox.flush()
    if let reason = session.agreement.state.unkept {
      throw .cannotEncode("an action", path: "", reason: reason)
    }
  }

  /// Returns when the confirmed state has all actions that were in the log when it was found, as a new client needs before
  /// it shows anything.
  ///
  /// ```swift
  /// let shared = try await SharedStore(…)
  /// if let reason = await shared.caughtUp().stop { show(reason) }
  /// ```
  ///
  /// - Waits for as long as the log cannot be reached. It returns earlier if the work with the log stops, or the task that
  ///   waits is cancelled.
  /// - Returns: The status then.
  @discardableResult
  public func caughtUp() async -> SyncStatus {
    for await status in status.states() where status.isCaughtUp || status.stop != nil { return status }
    return status.state
  }

  /// Waits until the log has all actions that were accepted before, and the outbox has what came of them. To be called
  /// before a program ends.
  ///
  /// - Returns at once where the log cannot be reached.
  /// - Actions that were not sent in that time are in the outbox, and are sent at the next start.
  /// - Parameter time: The longest time for which the log is waited for, on the store's clock.
  /// - Returns: The number of actions that were not confirmed.
  /// - Throws: The error of ``flush()``, before the log is waited for; or that of the outbox, after it.
  @discardableResult
  public func finish(within time: Duration) async throws(StorageError) -> Int {
    try await flush()
    await withTaskGroup { group in
      group.addTask { [status] in
        for await status in status.states() where status.waiting == 0 || !status.connection.mayGoOn { break }
      }
      group.addTask { [root = session.root] in
        let end = WakeUp()
        let cancel = root.schedule(after: time) { end.wake(.time) }
        await end.rest(until: .time)
        cancel()
      }
      await group.next()
      group.cancelAll()
    }
    try await session.outbox.flush()
    return session.progress.waiting.count
  }

  // MARK: Passing messages

  /// Sends a message to all clients, this one included: who is there, what somebody points at. It is never stored.
  ///
  /// - Best effort: it may be lost, and comes in no order with anything.
  /// - Parameter message: The message. Clients that observe messages of a type of the same name receive it.
  /// - Throws: ``LogError``: the log cannot be reached, or the message, with its type and sender, is longer than
  ///   ``LogError/longestMessage`` bytes.
  public func broadcast(_ message: some Codable & Sendable) async throws(LogError) {
    let bytes: Data
    do {
      bytes = try session.form.coding.encode(message)
    } catch {
      throw .refused("the message cannot be encoded: \(Confidentiality.description(of: error))")
    }
    let client = session.progress.client
    try await session.broadcast { _ in .passing(sender: client, type: "\(type(of: message))", bytes: bytes) }
  }

  /// Observes the messages of a type that clients send from now on, while the returned subscription is kept.
  ///
  /// - They come on the store's queue, among its activities. Those that cannot be read as this type are left out.
  /// - Parameters:
  ///   - type: The type: of the same name as with the sender.
  ///   - body: Called with each message, and its sender.
  public func observe<Message: Codable & Sendable>(
    messages type: Message.Type,
    _ body: @escaping @Sendable (_ message: Message, _ sender: LogClient) -> Void
  ) -> StoreSubscription {
    let name = "\(type)"
    return observe(activities: PassingMessage.self, on: nil) { [coding = session.form.coding] passing in
      guard passing.type == name, let message = try? coding.decode(type, from: passing.bytes) else { return }
      body(message, passing.sender)
    }
  }
}
