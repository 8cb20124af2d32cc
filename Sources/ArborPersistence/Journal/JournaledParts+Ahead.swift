internal import Arbor

extension JournaledParts {
  func writeAhead<Sent: Sendable>(_ action: Sent, with storage: Storage) -> Bool {
    guard let action = journal.filter.action(in: action) else {
      Misuse.writingAheadWithoutJournal.stop(about: "\(Sent.self)")
    }
    guard let action else { return true }
    guard let buffer, parts.hasBegun else { Misuse.writingAheadWithoutMonitor.stop() }
    buffer.isWritten = false
    // Once written, the action is reduced at the next start, so it must be reduced here, whoever cancels its sender.
    guard parts.monitor?.decideAction() != false else { return false }
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
      refusal = (error, parts.turn)
      hasRefusal.store(true)
      // A state must be written before further actions can be: when the timer says so, and not at each refused action.
      parts.saveSoon()
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
    guard let last = refusal, last.turn == parts.turn else { return nil }
    refusal = nil
    return last.error
  }

  /// Notes the last refusal, whose caller was not told.
  func noteRefusal() {
    if let last = refusal.take() { refusals.note(last.error) }
    hasRefusal.store(false)
  }
}
