/// Commands and queries of stores, except for canceling.
extension TaskScope {
  /// Prevents tasks with a key from beginning until the key is resumed, even if no store or feature uses the place
  /// anymore.
  func suspend(_ key: TypedKey) {
    var consequences = TaskConsequences()
    withTasks(of: key) { content, known, table in
      guard !table.isClosed, known?.lane.isSuspended != true else { return }
      content.suspendedKeys += 1
      content.change(known ?? content.makeTasks(of: key), &consequences) { lane, _ in lane.suspend() }
      if isShared { table.suspended[ObjectIdentifier(self)] = self }
    }
    carryOut(consequences)
  }

  /// Lets tasks with a key begin again.
  func resume(_ key: TypedKey) {
    var consequences = TaskConsequences()
    withTasks(of: key) { content, known, table in
      guard let known, known.lane.isSuspended else { return }
      content.suspendedKeys -= 1
      content.change(known, &consequences) { $0.resume(&$1) }
      // The caller has this scope, so it isn't released here.
      if content.suspendedKeys == 0 { table.suspended[ObjectIdentifier(self)] = nil }
    }
    carryOut(consequences)
  }

  /// Returns `true` if a task with a key runs or waits. Outside callbacks, waits for everything accepted before.
  func isRunning(_ key: TypedKey) -> Bool {
    if !tree.isInside { tree.wait(for: "isRunning") {} }
    return withTasks(of: key) { _, keyed, _ in keyed?.lane.hasTasks == true }
  }

  /// `true` if another store or feature at the same place finds these tasks: the place is in the node, and no scope
  /// made with a function leads to it.
  private var isShared: Bool {
    var scope = self
    while scope.place != nil, let parent = scope.parent { scope = parent }
    return scope !== self && scope.parent == nil
  }
}
