public import Arbor

extension StoreProtocol {
  /// Sends an action, and returns when the state that it has left is stored as durably as the storage says.
  ///
  /// - With a ``Journal``, actions that are sent at the same time share what is written; without one all that has changed
  ///   in the parts is saved.
  /// - An action that an interceptor drops or holds has changed nothing: this returns when all before it is stored. What
  ///   an action changes that a ``Journal`` of a part of the actions leaves out is not stored by this.
  /// - Actions that interceptors and effects send because of the action are not waited for.
  /// - Parameters:
  ///   - action: The action, as it would be dispatched to this store.
  ///   - isolation: The actor on which the call is made; nil if it is made on none.
  /// - Throws: The ``StorageError`` of what could not be saved. The action is reduced all the same, but for
  ///   ``StorageError/refused(_:because:)``: of those that ``SavingMonitor/writeAhead()`` has refused meanwhile the last,
  ///   be it this action or another one.
  ///   ``StorageError/notSaved`` if no storage saves the store's tree, and ``StorageError/storeGone`` if the store's owner
  ///   has gone; then it is not sent.
  public func dispatchDurably(_ action: Action, isolation: isolated (any Actor)? = #isolation)
    async throws(StorageError)
  {
    let savers = asStore.rootFollowers.compactMap { $0 as? any DurableMonitor }
    guard !savers.isEmpty else { throw .notSaved }
    let refusals = savers.map { $0.lastRefusal.count }
    // A save that begins after the action was accepted includes it.
    guard dispatchAwaited(action) else { throw .storeGone }
    var failure: StorageError?
    for saver in savers {
      do throws(StorageError) {
        try await saver.save()
      } catch {
        failure = failure ?? error
      }
    }
    // A refusal says more than the error of a save: that an action is not reduced.
    for (saver, count) in zip(savers, refusals) {
      let last = saver.lastRefusal
      if last.count > count, let refusal = last.refusal { throw refusal }
    }
    if let failure { throw failure }
  }
}

/// A monitor that saves what the steps of a store have changed.
protocol DurableMonitor: Sendable {
  /// Saves what has changed until now.
  func save() async throws(StorageError)

  /// The number of actions that were refused, because they could not be written ahead, and the last refusal.
  var lastRefusal: (count: Int, refusal: StorageError?) { get }
}

extension SavingMonitor: DurableMonitor {
  var lastRefusal: (count: Int, refusal: StorageError?) { parts.lastRefusal }

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
  ///   feature: .combined(app, Feature(interceptors: [saving.writeAhead()], reducer: nil)),
  ///   monitors: [saving]
  /// )
  /// ```
  ///
  /// - Nothing is reduced before it is on the disk, and the journal's order is that of reduction. Later actions of the
  ///   tree wait meanwhile. Each costs a sync of its own, the actions of a batch too: of these a crash may leave the first
  ///   ones.
  /// - The first action after an erasure, and after going on from another moment of a recording, costs that of all parts,
  ///   which are written with it.
  /// - Let it be the last interceptor, and be there once: an action that one behind it drops is reduced at the next start,
  ///   and one that two have written is reduced twice.
  /// - An action that cannot be written is dropped, and told: ``StorageError/refused(_:because:)``. So are those behind it,
  ///   until what is stored could be written anew: by a flush, by `dispatchDurably(_:)`, or when it is tried again, at the
  ///   latest five seconds later. One that is not journaled passes.
  /// - Stops the program, with the first action, if the monitor has no journal of these actions.
  public func writeAhead<Action: Sendable>() -> Interceptor<State, Action> {
    Interceptor { [parts, storage] action, _ in parts.writeAhead(action, with: storage) ? .pass : .drop }
  }
}
