public import Arbor

extension StoreProtocol {
  /// Sends an action, and returns once the resulting state is stored with the durability of the storage.
  ///
  /// - With a ``Journal``, actions that are sent at the same time share a write. Without one, all changes to the parts
  ///   are saved. If a journal doesn't include the action and the action changes a part, all parts are saved.
  /// - Without a ``Journal``, a change that `==` doesn't detect isn't stored; see ``Persisted``.
  /// - It doesn't wait for actions that interceptors and effects send because of this action.
  /// - Parameters:
  ///   - action: The action to dispatch to this store.
  ///   - isolation: The actor on which the call is made; nil if there is none.
  /// - Throws: ``StorageError/notReduced`` if an interceptor has dropped or held the action, or if its commit has
  ///   failed. ``StorageError/refused(_:because:)`` if ``SavingMonitor/writeAhead()`` couldn't write the action; the
  ///   action then has changed nothing. ``StorageError/notSaved`` if no storage saves the store's tree, and
  ///   ``StorageError/storeGone`` if the store's owner is gone; the action then isn't sent. Otherwise, the error of a
  ///   failed save: the action is still reduced, and the save is retried later.
  public func dispatchDurably(_ action: Action, isolation: isolated (any Actor)? = #isolation)
    async throws(StorageError)
  {
    let savers = asStore.rootFollowers.compactMap { $0 as? any DurableMonitor }
    guard !savers.isEmpty else { throw .notSaved }
    // The reason why the action wasn't reduced, until its turn has come.
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
    // A refused action is more important than the error of a save.
    if let error = objection.withLockInAsync({ $0 }) ?? failure { throw error }
  }
}

/// A monitor that saves the changes of a store's steps.
protocol DurableMonitor: Sendable {
  /// Saves all changes so far.
  func save() async throws(StorageError)

  /// Removes and returns the refusal of the current action; nil if it wasn't refused. Called on the tree's queue.
  func takeRefusal() -> StorageError?
}

extension SavingMonitor: DurableMonitor {
  func takeRefusal() -> StorageError? { parts.takeRefusal() }

  func save() async throws(StorageError) {
    try await storage.run { [self] core throws(StorageError) in
      do throws(StorageError) {
        try core.save(parts)
      } catch {
        // The save may have failed before it waited for the store. So accepted actions are refused or reduced before
        // this throws.
        settle()
        throw error
      }
    }
  }
}

extension SavingMonitor {
  /// Makes an interceptor that writes each action to the journal, with the storage's durability, before it is reduced.
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
  /// - No action is reduced before it is on disk, and the order of the journal is the order of reduction. Later actions
  ///   of the tree wait for the write. Each action costs its own sync, even in a batch, so a crash can cut a batch
  ///   short: then only its first actions are stored.
  /// - The first action after an erasure, or after continuing from another moment of a recording, also writes all
  ///   parts.
  /// - If an action is revoked while it is being written, the cancellation comes too late: the action is reduced.
  /// - Use it once, as the last interceptor. If a later interceptor drops a written action, the action is reduced at
  ///   the next start. If two interceptors write an action, it is reduced twice at the next start.
  /// - An action that can't be written is dropped and reported as ``StorageError/refused(_:because:)``. So are all
  ///   following actions, until everything could be written again: by a flush, by `dispatchDurably(_:)`, or by a retry,
  ///   at most five seconds later. Actions that aren't journaled pass.
  /// - `dispatchDurably(_:)` throws the refusal of its own action. The next ``Storage/flush()`` or ``Storage/close()``
  ///   throws the refusal of any other action.
  /// - Stops the program at the first action if the monitor has no journal of these actions.
  public func writeAhead<Action: Sendable>() -> Interceptor<State, Action> {
    Interceptor { [parts, storage] action, _ in parts.writeAhead(action, with: storage) ? .pass : .drop }
  }
}
