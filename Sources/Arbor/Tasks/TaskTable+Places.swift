/// The tables of places: scopes of the same place share one table, and so the keys of their tasks.
extension TaskTable {
  /// The table of the scopes at a place in this one; made if there is none.
  ///
  /// - Places are compared outside the lock, because comparing them is user code.
  func table(at place: ScopePlace, _ make: () -> TaskTable) -> TaskTable {
    let hash = place.hashValue
    while true {
      let (known, version) = content.withLock { content in (content.placed[hash] ?? [], content.placedVersion) }
      for candidate in known where candidate.place == place {
        if let table = candidate.table { return table }
      }
      let made = make()
      let added = TaskTableContent.PlacedTable(place: place, table: made)
      // Released outside the lock: places contain values of users.
      let removed = content.withLock { content in
        content.placedVersion == version ? content.add(added, ofHash: hash) : nil
      }
      if removed != nil { return made }
    }
  }
}

extension AttachmentHost {
  /// The tasks that belong to this host, or to all hosts of its place.
  @usableFromInline var tasks: TaskTable {
    guard let place, let parent else { return attachments.object { TaskTable(of: self) }.takeUnretainedValue() }
    let placed = attachments.object { PlacedTasks(parent.tasks.table(at: place) { TaskTable(of: self) }) }
    return placed._withUnsafeGuaranteedRef(\.table)
  }
}

/// The link of a host to the table that it shares with the other hosts of its place.
///
/// - The table itself lives as long as any of these hosts, or any of its tasks.
private final class PlacedTasks: Attachment, @unchecked Sendable {
  // Sendable because what it adds to its superclass is a constant of a sendable type.

  let table: TaskTable

  init(_ table: TaskTable) {
    self.table = table
    super.init()
  }
}
