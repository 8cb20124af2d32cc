/// Giving up write access, and taking it again.
extension StorageCore {
  /// Saves everything, with the actions of a journal as the resulting parts, and gives up write access.
  func close() throws(StorageError) {
    isSuspended = false
    guard !isClosed else { return }
    maySnapshot = false
    defer {
      giveBackLock()
      maySnapshot = true
    }
    try saveAll()
    // After this, no reducer reduces the actions again at the next start.
    if sources.hasJournal { try snapshot() }
    do throws(StorageError) {
      try writer.noteEnd()
    } catch {
      // Everything is saved nevertheless.
      problems.tell(error)
    }
  }

  /// Closes the storage until ``resume()``.
  ///
  /// - Parameter isInTime: `false` if there is no time to save: changes then stay unsaved until ``resume()``.
  func suspend(isInTime: Bool) {
    guard !isClosed else { return }
    if isInTime {
      // The errors are reported as problems.
      try? close()
    } else {
      giveBackLock()
    }
    isSuspended = true
  }

  private func giveBackLock() {
    snapshots.settle()
    writer.setClosed(true)
    lock = nil
  }

  /// Takes write access again after ``suspend(isInTime:)``, unless the storage was closed in the meantime.
  func resume() {
    guard isSuspended else { return }
    // The error is reported as a problem.
    try? reopen()
  }

  /// Takes write access again. If another process has written in the meantime, nothing is saved over its changes.
  func reopen() throws(StorageError) {
    isSuspended = false
    guard isClosed else { return }
    do {
      let lock = try folder.lock(for: owner)
      // Another owner may only have read. And without another owner, failed operations may have changed the files.
      let isAsLeft = try lock.previousOwner == owner || writer.isAsLeft()
      if !isAsLeft {
        writer.replace(by: nil)
        noteChangeElsewhere()
      }
      writer.setClosed(false)
      self.lock = lock
      if sources.isBehind { throw StorageError.changedElsewhere }
    } catch {
      let error = StorageError(reading: error)
      problems.tell(error)
      throw error
    }
  }
}
