import Arbor

/// Confirms actions in the order on which all clients agree: reducers, effects, and then one step of the shown state.
extension SharedRoot {
  /// A change of the shown state by confirmations.
  ///
  /// It has the states shown before and after it, and the number of own actions that now follow other clients' actions. Both
  /// confirmed and waiting actions count.
  package typealias Rebase = (before: State, after: State, moved: Int)

  /// Confirms actions in their order, after everything that was accepted before.
  ///
  /// - Parameters:
  ///   - snapshot: The confirmed state before the entries; nil to continue with the current one.
  ///   - entries: The actions.
  ///   - position: The position of the confirmed state before the entries.
  ///   - clients: The incarnations of this client.
  ///   - completion: Called on the tree's queue at the end of the step. It receives nil if the shown state hasn't been reduced
  ///     again.
  /// - Returns: `false` if the tree is gone.
  package func confirm(
    from snapshot: Snapshot? = nil,
    _ entries: [Entry],
    behind position: Int,
    as clients: Set<ClientEffects.Client>,
    completion: @escaping @Sendable (Rebase?) -> Void
  ) -> Bool {
    append { root, place in
      root.clients = clients
      var ends: [() -> Void] = []
      let rebase = root.confirm(from: snapshot, entries, behind: position, at: place, &ends)
      root.willReduce(nil)
      completion(rebase)
      // They read values that the completion stores.
      for end in ends { end() }
    }
  }

  /// - Parameter ends: Receives closures that notify the callers who wait for a confirmation or for effects.
  private func confirm(
    from snapshot: Snapshot?,
    _ entries: [Entry],
    behind first: Int,
    at place: Place,
    _ ends: inout [() -> Void]
  ) -> Rebase? {
    // The number of own actions that are confirmed, and the number of those before the first entry of another client.
    var (own, unmoved) = (0, nil as Int?)
    var position = first
    if let snapshot {
      unmoved = 0
      confirmedBox.pointer.pointee = snapshot.state
      let last = min(snapshot.own, waiting.count)
      performEffects(withJobsOf: snapshot.jobs, hasOwn: last > 0, at: place)
      // The state after each action is unknown, so callers receive the state with all of them. Its jobs already have owners.
      while own < last {
        performEffects(ofOwn: own, sender: nil, at: place, &ends)
        own += 1
      }
    }
    for entry in entries {
      switch entry {
      case .own(let sender):
        position += 1
        willReduce(.position(position))
        reduceConfirmed(waiting[own].action, at: place)
        performEffects(ofOwn: own, sender: sender, at: place, &ends)
        own += 1
      case .postponed:
        unmoved = unmoved ?? own
        waiting.append(waiting.remove(at: own))
      case .other(let action, let sender):
        unmoved = unmoved ?? own
        position += 1
        willReduce(.position(position))
        reduceConfirmed(action, at: place)
        sharing.perform(actionOf: sender, asksForEffects: false, own: clients) {
          performEffects(at: place) { $0.perform(action, nil) }
        }
      }
    }
    place.address.tree.letGoOfKeptParts()
    let moved = waiting.count - (unmoved ?? 0)
    waiting.removeFirst(own)
    guard unmoved != nil else { return nil }
    let before = place.shown.pointer.pointee
    place.shown.pointer.pointee = makeShown(onTopOf: position)
    place.address.tree.notifyOfNewStates()
    return (before, place.shown.pointer.pointee, moved)
  }

  private func reduceConfirmed(_ action: Action, at place: Place) {
    place.address.tree.reduceOtherState { place.reduceConfirmed?(&confirmedBox.pointer.pointee, action) }
  }

  /// Performs the effects of one of the client's own actions that the confirmed state includes.
  private func performEffects(
    ofOwn index: Int,
    sender: ClientEffects.Client?,
    at place: Place,
    _ ends: inout [() -> Void]
  ) {
    let own = waiting[index]
    sharing.perform(actionOf: sender, asksForEffects: true, own: clients) {
      performEffects(at: place, causedBy: own.cause) { $0.perform(own.action, own.group) }
    }
    if let waiter = own.group?.waiter as? ConfirmationWaiter<Confirmation> {
      let confirmation = (shown: own.shown ?? confirmed, confirmed: confirmed)
      ends.append { waiter.complete(confirmation) }
    }
    if own.isMember, let group = own.group { ends.append { group.leave() } }
  }

  /// Ends and begins state effects for the confirmed state, whose job owners are given.
  ///
  /// - Parameter hasOwn: `true` if own actions may have caused the change, so that this client performs its effects.
  func performEffects(withJobsOf jobs: [String: ClientEffects.Client], hasOwn: Bool, at place: Place) {
    sharing.perform(stateWithJobsOf: jobs, asksForEffects: hasOwn, own: clients) {
      performEffects(at: place) { $0.update?() }
    }
  }

  private func performEffects(
    at place: Place,
    causedBy cause: ActionCause? = nil,
    _ perform: (FeatureEffects<Action>) -> Void
  ) {
    guard let effects = place.effects else { return }
    place.address.tree.requestEffects(causedBy: cause) { perform(effects) }
  }

  /// Notifies all callers who wait for a confirmation or for effects that these won't come, now and in the future.
  package func abandonConfirmations() {
    append { root, _ in
      root.isAbandoned = true
      for index in root.waiting.indices {
        guard let group = root.waiting[index].group.take() else { continue }
        (group.waiter as? ConfirmationWaiter<Confirmation>)?.complete(nil)
        if root.waiting[index].isMember { group.leave() }
      }
    }
  }
}

// MARK: - Reductions that a next start would repeat

extension SharedRoot {
  /// A reduction whose trap would occur again at each start.
  package enum Reduction: Hashable, Sendable {
    /// An action of the order on which all clients agree, by its position.
    case position(Int)

    /// The client's own waiting actions, on top of the confirmed state at a position.
    case waiting(onTopOf: Int)

    /// One of the client's own actions that are waiting when the tree is made, by its index.
    case firstWaiting(Int)
  }

  /// The state to show, reduced again; for tests.
  package var shownAgain: State { makeShown { _ in } }

  /// Returns the first state to show, before the tree is made.
  package func makeFirstShown() -> State {
    defer { willReduce(nil) }
    return makeShown { willReduce(.firstWaiting($0)) }
  }

  /// Returns the state to show, on top of the confirmed state at a position.
  func makeShown(onTopOf position: Int) -> State {
    if !waiting.isEmpty { willReduce(.waiting(onTopOf: position)) }
    return makeShown { _ in }
  }
}
