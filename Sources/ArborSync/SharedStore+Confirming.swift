public import Arbor
public import ArborPersistence
internal import Foundation

extension SharedStore {
  /// Sends an action, and returns when it is confirmed.
  ///
  /// - While the log cannot be reached, it keeps waiting. When it returns, ``confirmed`` includes the action.
  /// - Parameters:
  ///   - action: An action of this store.
  ///   - isolation: The actor that makes the call; nil if there is none.
  /// - Returns: The state in which the action was first shown, and the confirmed state.
  /// - Throws: ``ConfirmationError``. After any error except ``ConfirmationError/notReduced``, the action is still shown and
  ///   keeps its place in the order.
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

  /// Returns when the outbox has stored all actions that were accepted before. From then on, they aren't lost.
  ///
  /// - Throws: The first error of the outbox; `StorageError.cannotEncode` if a shown action cannot be encoded. Such an action
  ///   is lost when the program ends.
  public func flush() async throws(StorageError) {
    // When this returns, the outbox's store has received the earlier actions.
    await asStore.dispatchAndWait(batch: [])
    try await session.outbox.flush()
    if let reason = session.agreement.state.unkept {
      throw .cannotEncode("an action", path: "", reason: reason)
    }
  }

  /// Returns when the confirmed state includes all actions that were in the log when it was found.
  ///
  /// A new client should wait for this before it shows anything.
  ///
  /// ```swift
  /// let shared = try await SharedStore(…)
  /// if let reason = await shared.caughtUp().stop { show(reason) }
  /// ```
  ///
  /// - While the log cannot be reached, it keeps waiting. It returns early if syncing stops, or if the waiting task is
  ///   canceled.
  /// - Returns: The status at that time.
  @discardableResult
  public func caughtUp() async -> SyncStatus {
    for await status in status.states() where status.isCaughtUp || status.stop != nil { return status }
    return status.state
  }

  /// Waits until the log has confirmed all actions that were accepted before, and the outbox has stored the result.
  ///
  /// Call this before a program ends.
  ///
  /// - It returns immediately if the log cannot be reached.
  /// - Actions that weren't sent in time stay in the outbox, and are sent at the next start.
  /// - Parameter time: The maximum time to wait for the log, on the store's clock.
  /// - Returns: The number of actions that weren't confirmed.
  /// - Throws: The error of ``flush()``, before it waits for the log; or an error of the outbox after it.
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

  /// Sends a message to all clients, including this one, such as a user's presence or pointer. Messages are never stored.
  ///
  /// - Best effort: it may be lost, and has no order relative to other messages or actions.
  /// - Parameter message: The message. Clients receive it if they observe messages of a type with the same name.
  /// - Throws: ``LogError`` if the log cannot be reached, or if the message, including its type and sender, is longer than
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

  /// Observes the messages of a type that clients send from now on, as long as you keep the returned subscription.
  ///
  /// - Messages arrive on the store's queue, among its activities. Messages that cannot be decoded as this type are ignored.
  /// - Parameters:
  ///   - type: The type. The sender's type must have the same name.
  ///   - body: Called with each message and its sender.
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
