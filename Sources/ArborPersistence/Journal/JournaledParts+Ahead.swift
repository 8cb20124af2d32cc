internal import Arbor

extension JournaledParts {
  func writeAhead<Sent: Sendable>(_ action: Sent, with storage: Storage) -> Bool {
    guard let action = journal.filter.action(in: action) else {
      Misuse.writingAheadWithoutJournal.stop(about: "\(Sent.self)")
    }
    guard let action else { return true }
    guard let buffer, parts.state.hasBegun else { Misuse.writingAheadWithoutMonitor.stop() }
    buffer.isWritten = false
    // Once written, the action is reduced at the next start. So it must be reduced here, too, even if its sender is
    // canceled.
    guard parts.state.monitor?.decideAction() != false else { return false }
    var reason: StorageError?
    do throws(StorageError) {
      buffer.isWritten = try write(action)
    } catch {
      reason = error
    }
    if buffer.isWritten {
      count.add(1)
    } else {
      let error = StorageError.refused(Confidentiality.description(of: action), because: reason)
      storage.problemBroadcast.tell(error)
      noteRefusal()
      refusal = (error, parts.state.monitor?.turn)
      hasRefusal.store(true)
      // Before further actions can be written, a state must be. The timer writes it, so that not each refused action
      // does.
      parts.state.monitor?.saveSoon()
    }
    return buffer.isWritten
  }

  /// Writes an action and makes it durable. Returns `false` if an earlier failure requires that a state is written
  /// first.
  private func write(_ action: Action) throws(StorageError) -> Bool {
    let record: [UInt8]
    do {
      record = try self.record(of: [action])
    } catch {
      throw StorageError(encoding: "\(Action.self)", error)
    }
    var present: [UInt8]?
    while true {
      if present == nil, needsAllParts.load() { present = try parts.present() }
      switch try writer.appendAhead(record, behind: present, beginning: beginning, ofLoad: load) {
      case .appended:
        if present != nil {
          needsAllParts.store(false)
          // The written parts contain the changes of the buffered actions.
          buffer?.drop()
        }
        return true
      case .partsNeeded: present = try parts.present()
      case .stateNeeded: return false
      }
    }
  }

  func takeRefusal() -> StorageError? {
    guard let last = refusal, last.turn == parts.state.monitor?.turn else { return nil }
    refusal = nil
    return last.error
  }

  /// Records the last refusal if its caller hasn't received it.
  func noteRefusal() {
    if let last = refusal.take() { refusals.note(last.error) }
    hasRefusal.store(false)
  }
}

#if DEBUG
  extension JournaledParts {
    /// The number of actions of each case that are checked. A check copies the state that the reducer changes.
    private static var checkedCount: Int { 10 }

    /// Makes a reducer that also reduces journaled actions with the journal's feature. It stops the program if the
    /// resulting parts differ, because the next start would find these instead of the store's parts.
    func checking<Reduced: Sendable>(
      _ reduce: @escaping @Sendable (Reduced) -> Bool
    ) -> @Sendable (Reduced) -> Bool {
      let reduceAgain = journal.makeReducer()
      let counts = Protected<[String: Int]>([:])
      return { [self] reduced in
        guard let action = checkedAction(in: reduced, counts) else { return reduce(reduced) }
        let before = parts.state.onTree
        guard reduce(reduced) else { return false }
        guard var again = before, let after = parts.state.onTree else { return true }
        reduceAgain(&again, action)
        if let name = parts.nameOfDifference(between: again, and: after) {
          let action = "\(Reduced.self).\(caseName(of: reduced))"
          Misuse.journalingAnotherReducer.stop(about: "the part \(name), after \(action)")
        }
        return true
      }
    }

    /// Returns the journaled action in an action that is about to be reduced; nil if it isn't to be checked.
    private func checkedAction<Reduced: Sendable>(
      in reduced: Reduced,
      _ counts: borrowing Protected<[String: Int]>
    ) -> Action? {
      // If all parts are written, no action is reduced again.
      guard !needsAllParts.loadRelaxed(), case let action?? = journal.filter.action(in: reduced) else { return nil }
      let count = counts.withLock { counts in
        counts[caseName(of: reduced), default: 0] += 1
        return counts[caseName(of: reduced)]!
      }
      return count > Self.checkedCount ? nil : action
    }
  }

  /// Returns the name of an action's case, followed by the case of the nested action, as in `list.add`.
  private func caseName(of action: Any) -> String {
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum else { return "" }
    guard let child = mirror.children.first, let name = child.label else { return "\(action)" }
    let inner = caseName(of: child.value)
    return inner.isEmpty ? name : "\(name).\(inner)"
  }
#endif
