extension ActionSink {
  /// The tasks registered at this sink's host.
  @usableFromInline var tasks: TaskScope { host.tasks }

  /// Returns a host of a place in the state of this sink's store; without a place, the store's own.
  @usableFromInline
  func host(at place: ScopePlace?) -> AttachmentHost {
    place.map { AttachmentHost(in: host, presences: [], place: $0) } ?? host
  }

  /// Registers a task. Depending on the mode, the task starts, waits or is dropped.
  func start<Value: Sendable>(
    key: TypedKey?,
    mode: TaskMode,
    priority: TaskPriority?,
    _ operation: @escaping @Sendable (@escaping @Sendable (Action) -> Void) async throws -> Value
  ) -> StoreTask<Value> {
    let (host, outcome) = (host, TaskOutcome())
    let tasks = host.tasks
    let inspected = tasks.tree.track(key, after: nil, isEffect: false)
    let operation = inspected?.tracking(operation) ?? operation
    let task = RegisteredTask(
      in: tasks, group: nil, outcome: outcome, inspected: inspected, presence: host.presence
    ) { [self] task in
      task.run(priority: priority) {
        let result: Result<any Sendable, any Error>
        do {
          result = .success(try await operation(self.makeDispatch(for: task)))
        } catch {
          result = .failure(error)
        }
        task.scope.end(task, result)
      }
    }
    tasks.add(task, key: key, mode: mode)
    return StoreTask(outcome: outcome, number: task.number, scope: tasks)
  }

  /// Makes the function that sends a task's actions. It is only passed to the task's body, so its release shows that
  /// the task can't send any more actions.
  ///
  /// - Throws: `CancellationError` if the task was canceled, or the store's owner released, before the body began.
  @inlinable
  func makeDispatch(for task: RegisteredTask) throws -> @Sendable (Action) -> Void {
    guard let sender = task.sender, !sender.isOver else { throw CancellationError() }
    return { [self] action in _ = submit(.revocable(action, by: sender)) }
  }
}
