/// Task tables by place. Scopes of the same place share a table, and so the keys of their tasks.
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
    let placed = attachments.object { () -> PlacedTasks in
      let table = parent.tasks.table(at: place) { TaskTable(of: self) }
      table.note(outerPlaces)
      return PlacedTasks(table)
    }
    return placed._withUnsafeGuaranteedRef(\.table)
  }

  /// Cancels all tasks that are registered now of this host, of the other hosts of its place, and of the scopes in these.
  @usableFromInline
  func cancelAllTasksBelow() {
    guard let place, let parent else { return tasks.cancelAllBelow() }
    parent.tasks.cancelAll(below: place)
  }
}

extension TaskTable {
  /// Notes the places within which the place of this table is, because scopes are nested.
  fileprivate func note(_ outerPlaces: [ScopePlace]) {
    guard !outerPlaces.isEmpty else { return }
    // Places are compared outside the lock. One that is noted twice does no harm.
    let known = content.withLock { $0.outerPlaces }
    let new = outerPlaces.filter { !known.contains($0) }
    if !new.isEmpty { content.withLock { $0.outerPlaces += new } }
  }

  /// Cancels all tasks that are registered now in this table and in those of the scopes below it.
  fileprivate func cancelAllBelow() {
    cancelAll(isRevoking: true)
    TaskTable.cancelAll(in: content.withLock { content in content.scopes.compactMap(\.table) })
  }

  /// Cancels all tasks that are registered now of a place in this table, of its elements, and of the places within it.
  fileprivate func cancelAll(below place: ScopePlace) {
    let placed = content.withLock { content in Array(content.placed.values.joined()) }
    let tables = placed.compactMap { placed -> TaskTable? in
      guard let table = placed.table else { return nil }
      let isBelow =
        placed.place == place || placed.place.isElement(of: place)
        || table.content.withLock { $0.outerPlaces }.contains(place)
      return isBelow ? table : nil
    }
    TaskTable.cancelAll(in: tables)
  }

  /// Cancels the tasks of tables, the table with the oldest task first. The order of the tables themselves has no meaning.
  private static func cancelAll(in tables: [TaskTable]) {
    let oldest = tables.map { table in (task: table.oldestTask, table) }
    for (_, table) in oldest.sorted(by: { $0.task < $1.task }) { table.cancelAllBelow() }
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
