/// Suspends and resumes the tasks of a key.
extension TaskTable {
  /// Lets no task with a key begin until the key is resumed.
  fileprivate func suspend(_ key: TaskKey) {
    var consequences = TaskConsequences()
    withTasks(of: key) { content, known in
      guard !content.isClosed, known?.lane.isSuspended != true else { return }
      content.suspendedKeys += 1
      content.change(known ?? content.makeTasks(of: key), &consequences) { lane, _ in lane.suspend() }
    }
    carryOut(consequences)
  }

  /// Lets tasks with a key begin again.
  fileprivate func resume(_ key: TaskKey) {
    var consequences = TaskConsequences()
    withTasks(of: key) { content, known in
      guard let known, known.lane.isSuspended else { return }
      content.suspendedKeys -= 1
      content.change(known, &consequences) { $0.resume(&$1) }
    }
    carryOut(consequences)
  }
}

extension AttachmentHost {
  /// Lets no task with a key begin until the key is resumed, also if this host is gone before.
  func suspend(_ key: TaskKey) {
    let tasks = tasks
    tasks.suspend(key)
    keepIfSuspended(tasks)
  }

  /// Lets tasks with a key begin again.
  func resume(_ key: TaskKey) {
    let tasks = tasks
    tasks.resume(key)
    keepIfSuspended(tasks)
  }

  private func keepIfSuspended(_ tasks: TaskTable) {
    guard let node = nodeOfPlace, node !== self else { return }
    node.attachments.object { SuspendedTables() }._withUnsafeGuaranteedRef { $0.keepIfSuspended(tasks) }
  }

  /// The host of the node in which this host's place is found by key paths; this host itself if it is a node's. Nil if
  /// no other host is ever at the same place.
  private var nodeOfPlace: AttachmentHost? {
    guard let parent else { return self }
    return place == nil ? nil : parent.nodeOfPlace
  }
}

/// The tables of places that have suspended keys, which last until they are resumed or the node's owner is gone.
///
/// - The node's host has them, and not its table: each of them retains that.
private final class SuspendedTables: Attachment, @unchecked Sendable {
  // Sendable because its lock guards all that varies.

  /// Nil once the owner is gone.
  private let tables = Protected<[ObjectIdentifier: TaskTable]?>([:])

  /// Keeps a table if it has suspended keys, and no longer if it has none.
  func keepIfSuspended(_ table: TaskTable) {
    let released = tables.withLock { tables -> TaskTable? in
      // Looked at under both locks, so that whoever comes last knows best.
      let isSuspended = table.content.withLock { $0.suspendedKeys > 0 }
      guard !isSuspended else {
        tables?[ObjectIdentifier(table)] = table
        return nil
      }
      return tables?.removeValue(forKey: ObjectIdentifier(table))
    }
    if let released { Tree.releaseLater(released) }
  }

  override func close() {
    let released = tables.withLock { $0.take() }
    if let released { Tree.releaseLater(ReleaseBatch(Array(released.values))) }
  }
}
