extension ActionSink {
  /// The tasks that are known here.
  @usableFromInline var tasks: TaskTable { host.tasks }

  /// Starts a task, or lets it wait or drops it, as the mode says.
  func start<Value: Sendable>(
    key: TaskKey?,
    mode: TaskMode,
    priority: TaskPriority?,
    _ operation: @escaping @Sendable (@escaping @Sendable (Action) -> Void) async throws -> Value
  ) -> StoreTask<Value> {
    let outcome = TaskOutcome()
    let tracked = tasks.tree.track(key, after: nil, isEffect: false)
    let operation = tracked?.tracking(operation) ?? operation
    let task = RegisteredTask(in: tasks, group: nil, outcome: outcome, tracked: tracked) { [self] task in
      // Detached: it is nobody's whose thread it happens to be that runs the tree's work.
      Task.detached(executorPreference: task.executor, priority: priority) {
        let result: Result<any Sendable, any Error>
        do {
          result = .success(try await operation(self.dispatch(of: task)))
        } catch {
          result = .failure(error)
        }
        task.table.end(task, result)
      }
    }
    tasks.add(task, key: key, mode: mode)
    return StoreTask(outcome: outcome, number: task.number, table: tasks)
  }

  /// Makes the function by which a task sends its actions. Its body has it alone, so that it is known whether anybody keeps it.
  @inlinable
  func dispatch(of task: RegisteredTask) throws -> @Sendable (Action) -> Void {
    guard let sender = task.sender, !sender.isOver else { throw CancellationError() }
    return { [submit] action in _ = submit(.revocable(action, by: sender)) }
  }
}
