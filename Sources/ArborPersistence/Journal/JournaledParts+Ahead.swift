internal import Arbor

extension JournaledParts {
  func writeAhead<Sent: Sendable>(_ action: Sent, with storage: Storage) -> Bool {
    guard let action = journal.filter.action(in: action) else {
      Misuse.writingAheadWithoutJournal.stop(about: "\(Sent.self)")
    }
    guard let action else { return true }
    guard let buffer, parts.state.hasBegun else { Misuse.writingAheadWithoutMonitor.stop() }
    buffer.isWritten = false
    // Once written, the action is reduced at the next start, so it must be reduced here, whoever cancels its sender.
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
      // A state must be written before further actions can be: when the timer says so, and not at each refused action.
      parts.state.monitor?.saveSoon()
    }
    return buffer.isWritten
  }

  /// Writes an action and makes it durable. Returns `false` if a state must be written before, because something has
  /// failed.
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
          // The parts that were written have the changes of the buffered actions in them.
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

  /// Notes the last refusal, whose caller was not told.
  func noteRefusal() {
    if let last = refusal.take() { refusals.note(last.error) }
    hasRefusal.store(false)
  }
}

#if DEBUG
  extension JournaledParts {
    /// The number of actions of each case that are checked: a check copies what the reducer changes.
    private static var checkedCount: Int { 10 }

    /// Reduces journaled actions a second time, by the journal's feature, and stops the program if that makes other parts:
    /// the next start would find them in place of those that the store has.
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

    /// The action that is journaled of one that is about to be reduced, if it is to be checked.
    private func checkedAction<Reduced: Sendable>(
      in reduced: Reduced,
      _ counts: borrowing Protected<[String: Int]>
    ) -> Action? {
      // If all parts are written, nothing is reduced again.
      guard !needsAllParts.loadRelaxed(), case let action?? = journal.filter.action(in: reduced) else { return nil }
      let count = counts.withLock { counts in
        counts[caseName(of: reduced), default: 0] += 1
        return counts[caseName(of: reduced)]!
      }
      return count > Self.checkedCount ? nil : action
    }
  }

  /// The name of an action's case, followed by the case of the action inside it, as in `list.add`.
  private func caseName(of action: Any) -> String {
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum else { return "" }
    guard let child = mirror.children.first, let name = child.label else { return "\(action)" }
    let inner = caseName(of: child.value)
    return inner.isEmpty ? name : "\(name).\(inner)"
  }
#endif
