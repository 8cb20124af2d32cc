/// Suspends and resumes the tasks of a key.
extension TaskTable {
  /// Lets no task with a key begin until the key is resumed.
  func suspend(_ key: TaskKey) {
    var consequences = TaskConsequences()
    withTasks(of: key) { content, known in
      guard !content.isClosed else { return }
      content.change(known ?? content.makeTasks(of: key), &consequences) { lane, _ in lane.suspend() }
    }
    carryOut(consequences)
  }

  /// Lets tasks with a key begin again.
  func resume(_ key: TaskKey) {
    var consequences = TaskConsequences()
    withTasks(of: key) { content, known in
      if let known { content.change(known, &consequences) { $0.resume(&$1) } }
    }
    carryOut(consequences)
  }
}
