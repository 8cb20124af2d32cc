public import Arbor

extension StoreProtocol {
  /// Sends an action, and returns when the state that it has left is stored as durably as the storage says.
  ///
  /// - With a ``Journal``, actions that are sent at the same time share what is written; without one all that has changed
  ///   in the parts is saved. So are all parts if a ``Journal`` leaves the action out and it changes one of them.
  /// - Without a ``Journal``, a change that `==` does not see is not stored; see ``Persisted``.
  /// - Actions that interceptors and effects send because of the action are not waited for.
  /// - Parameters:
  ///   - action: The action, as it would be dispatched to this store.
  ///   - isolation: The actor on which the call is made; nil if it is made on none.
  /// - Throws: ``StorageError/notReduced`` if an interceptor has dropped or held the action, or its commit has failed;
  ///   ``StorageError/refused(_:because:)`` if ``SavingMonitor/writeAhead()`` could not write it. Then it has changed
  ///   nothing. ``StorageError/notSaved`` if no storage saves the store's tree, and ``StorageError/storeGone`` if the
  ///   store's owner has gone; then it is not sent. Otherwise the error of what could not be saved: the action is reduced
  ///   all the same, and saving is tried again.
  public func dispatchDurably(_ action: Action, isolation: isolated (any Actor)? = #isolation)
    async throws(StorageError)
  {
    let savers = asStore.rootFollowers.compactMap { $0 as? any DurableMonitor }
    guard !savers.isEmpty else { throw .notSaved }
    // The reason why the action was not reduced: the answer until it has had its turn.
    let objection = Protected<StorageError?>(.notReduced)
    let isAccepted = dispatchAwaited(action) { isReduced in
      let refusal = savers.compactMap { $0.takeRefusal() }.first
      objection.withLock { $0 = isReduced ? nil : refusal ?? .notReduced }
    }
    guard isAccepted else { throw .storeGone }
    var failure: StorageError?
    // A save that begins after the action was accepted includes it.
    for saver in savers {
      do throws(StorageError) {
        try await saver.save()
      } catch {
        failure = failure ?? error
      }
    }
    // That an action is not reduced says more than the error of a save.
    if let error = objection.withLockInAsync({ $0 }) ?? failure { throw error }
  }
}

/// A monitor that saves what the steps of a store have changed.
protocol DurableMonitor: Sendable {
  /// Saves what has changed until now.
  func save() async throws(StorageError)

  /// Takes out the refusal of the action whose turn it is; nil if it was not refused. On the tree's queue.
  func takeRefusal() -> StorageError?
}

extension SavingMonitor: DurableMonitor {
  func takeRefusal() -> StorageError? { parts.takeRefusal() }

  func save() async throws(StorageError) {
    try await storage.run { [self] core throws(StorageError) in
      do throws(StorageError) {
        try core.save(parts)
      } catch {
        // It may not even have been tried: what the store has accepted is refused or reduced before anybody is told why.
        settle()
        throw error
      }
    }
  }
}

extension SavingMonitor {
  /// Makes an interceptor that writes each action to the journal, as durably as the storage says, before it is reduced.
  ///
  /// ```swift
  /// let saving = storage.saving([list], journal)
  /// let factory = StoreFactory(
  ///   initialState: state,
  ///   feature: .combined(app, Feature(interceptors: [saving.writeAhead()])),
  ///   settings: TreeSettings(monitors: [saving])
  /// )
  /// ```
  ///
  /// - Nothing is reduced before it is on the disk, and the journal's order is that of reduction. Later actions of the
  ///   tree wait meanwhile. Each costs a sync of its own, the actions of a batch too: of these a crash may leave the first
  ///   ones.
  /// - The first action after an erasure, and after going on from another moment of a recording, costs that of all parts,
  ///   which are written with it.
  /// - A cancellation that revokes an action while it is written comes too late: the action is reduced.
  /// - Let it be the last interceptor, and be there once: an action that one behind it drops is reduced at the next start,
  ///   and one that two have written is reduced twice.
  /// - An action that cannot be written is dropped, and told: ``StorageError/refused(_:because:)``. So are those behind it,
  ///   until what is stored could be written anew: by a flush, by `dispatchDurably(_:)`, or when it is tried again, at the
  ///   latest five seconds later. One that is not journaled passes.
  /// - `dispatchDurably(_:)` throws the refusal of the action that it has sent. That of any other action is thrown by the
  ///   next ``Storage/flush()`` or ``Storage/close()``.
  /// - Stops the program, with the first action, if the monitor has no journal of these actions.
  public func writeAhead<Action: Sendable>() -> Interceptor<State, Action> {
    Interceptor { [parts, storage] action, _ in parts.writeAhead(action, with: storage) ? .pass : .drop }
  }
}
