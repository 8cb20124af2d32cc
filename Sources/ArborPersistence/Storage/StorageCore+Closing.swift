/// Giving back the right to write, and taking it again.
extension StorageCore {
  /// Saves everything, the actions of a journal as the parts that they have made, and gives back the right to write.
  func close() throws(StorageError) {
    isSuspended = false
    guard !isClosed else { return }
    maySnapshot = false
    defer {
      giveBackLock()
      maySnapshot = true
    }
    try saveAll()
    // Not reduced again at the next start, by whatever reducer that has.
    if sources.hasJournal { try snapshot() }
    do throws(StorageError) {
      try writer.noteEnd()
    } catch {
      // Everything is saved all the same.
      problems.tell(error)
    }
  }

  /// Closes until ``resume()``.
  ///
  /// - Parameter isInTime: `false` if there is no time to save: what has changed stays unsaved until then.
  func suspend(isInTime: Bool) {
    guard !isClosed else { return }
    if isInTime {
      // The errors are told as problems.
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

  /// Takes the right to write again after ``suspend(isInTime:)``, unless the storage was closed meanwhile.
  func resume() {
    guard isSuspended else { return }
    // The error is told as a problem.
    try? reopen()
  }

  /// Takes the right to write again. If another process has written meanwhile, nothing is written over that.
  func reopen() throws(StorageError) {
    isSuspended = false
    guard isClosed else { return }
    do {
      let lock = try folder.lock(for: owner)
      // Another one may only have read; and where nobody came in between, failed operations may have left anything.
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
