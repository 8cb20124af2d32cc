extension StoreObject {
  /// Starts a task that belongs to the child, as ``Store/task(key:mode:priority:operation:)``.
  @discardableResult
  public func task<Value: Sendable>(
    key: (any Hashable & Sendable)? = nil,
    mode: TaskMode = .parallel,
    priority: TaskPriority? = nil,
    operation: @escaping @Sendable (_ dispatch: @escaping @Sendable (_ action: Action) -> Void) async throws -> Value
  ) -> StoreTask<Value> {
    base.task(key: key, mode: mode, priority: priority, operation: operation)
  }

  /// Cancels the tasks with a key, as ``Store/cancel(_:)``.
  public func cancel(_ key: (any Hashable & Sendable)?) {
    base.cancel(key)
  }

  /// Cancels all tasks of the child, as ``Store/cancelAllTasks()``.
  public func cancelAllTasks() {
    base.cancelAllTasks()
  }

  /// Whether a task with a key runs, or waits to.
  public func isRunning(_ key: (any Hashable & Sendable)?) -> Bool {
    base.isRunning(key)
  }

  /// Resumes when no task of the child runs or waits, as ``Store/tasksFinished()``.
  public func tasksFinished() async {
    await base.tasksFinished()
  }

  /// Sends an action and resumes when the effects have ended that it has set off, as ``Store/perform(_:isolation:)``.
  public func perform(_ action: Action, isolation: isolated (any Actor)? = #isolation) async {
    await base.perform(action)
  }
}
