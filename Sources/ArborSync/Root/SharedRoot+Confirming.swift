import Arbor

/// Confirming actions in the order on which all clients agree: reducers, effects, and then one step of what is shown.
extension SharedRoot {
  /// The change of the shown state by the confirmation of actions: the state that was shown before, the one that is shown now,
  /// and the number of own actions that are confirmed, or wait, behind actions of others that came before them.
  package typealias Rebase = (before: State, after: State, moved: Int)

  /// Confirms actions in their order, after everything that was accepted before.
  ///
  /// - Parameters:
  ///   - snapshot: The confirmed state in front of the entries; nil if that is the one that the last ones have left.
  ///   - position: The position of the confirmed state in front of the entries.
  ///   - clients: The incarnations of this client.
  ///   - completion: Called on the tree's queue at the end of the step, with nil if what is shown has not changed.
  /// - Returns: `false` if the tree has gone.
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
      // They find what the completion keeps.
      for end in ends { end() }
    }
  }

  /// - Parameter ends: Gets what is to be called for those who wait for a confirmation, or for effects.
  private func confirm(
    from snapshot: Snapshot?,
    _ entries: [Entry],
    behind first: Int,
    at place: Place,
    _ ends: inout [() -> Void]
  ) -> Rebase? {
    // The number of own actions that are confirmed, and of those before anything else came.
    var (own, unmoved) = (0, nil as Int?)
    var position = first
    if let snapshot {
      unmoved = 0
      confirmedBox.pointer.pointee = snapshot.state
      let last = min(snapshot.own, waiting.count)
      performEffects(withJobsOf: snapshot.jobs, hasOwn: last > 0, at: place)
      // The state after each is unknown: the one that has all of them in it is told. Its jobs have their owners already.
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

  /// Performs the effects of an own action that the confirmed state has in it.
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

  /// Ends and begins state effects by the confirmed state, of which the owners of all jobs are given.
  ///
  /// - Parameter hasOwn: `true` if own actions may have changed what has changed: the effects of that are asked for.
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

  /// Tells all who wait for a confirmation, or for the effects of an action, that these do not come, now and from now on.
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
  /// Something that is about to be reduced where a trap of the reducer would come again at each start.
  package enum Reduction: Hashable, Sendable {
    /// An action of the order on which all clients agree, by its position.
    case position(Int)

    /// The own actions that wait, on top of the confirmed state of a position.
    case waiting(onTopOf: Int)

    /// One of the own actions that wait when the tree is made, by its index.
    case firstWaiting(Int)
  }

  /// The state that is to be shown, reduced again: for tests.
  package var shownAgain: State { makeShown { _ in } }

  /// The state that is to be shown first, before the tree is made.
  package func makeFirstShown() -> State {
    defer { willReduce(nil) }
    return makeShown { willReduce(.firstWaiting($0)) }
  }

  /// The state that is to be shown, on top of the confirmed state of a position.
  func makeShown(onTopOf position: Int) -> State {
    if !waiting.isEmpty { willReduce(.waiting(onTopOf: position)) }
    return makeShown { _ in }
  }
}
