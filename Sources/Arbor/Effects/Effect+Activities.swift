extension Effect {
  /// The asynchronous work of a task; its arguments send actions and emit activities.
  ///
  /// - `dispatch` is that of an ``Operation``. `emit` sends an event to the observers of activities at the store that
  ///   declares the effect, and at each ancestor, like ``StoreProtocol/emit(_:)``: in order with the actions that
  ///   `dispatch` sends.
  /// - `emit`, too, works from any thread, at any later time, and silently does nothing once the task was cancelled or
  ///   the store's owner is gone. What was emitted before is heard: a cancellation revokes actions alone.
  public typealias EmittingOperation =
    @Sendable (
      _ dispatch: @escaping @Sendable (_ action: Action) -> Void,
      _ emit: @escaping @Sendable (_ activity: any Sendable) -> Void
    ) async throws -> Void

  /// Emits an activity at the store that declares the effect, like ``StoreProtocol/emit(_:)``: it is heard after
  /// everything that is already waiting.
  ///
  /// ```swift
  /// case .saved: .emit(Message(text: "Saved"))
  /// ```
  ///
  /// - Parameter activity: The event, which observers of exactly its type receive.
  public static func emit(_ activity: some Sendable) -> Effect {
    Effect(.emit(activity))
  }

  /// Runs a task that emits activities beside its actions; otherwise like the overload whose body only dispatches.
  ///
  /// ```swift
  /// .run(key: "upload") { dispatch, emit in
  ///   for try await part in upload() { emit(Progress(part)) }
  ///   dispatch(.uploaded)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: Identifies the task for ``cancel(_:)`` and for the mode; a task without one cannot be cancelled by name.
  ///   - mode: The rule for this task and the others with an equal key.
  ///   - priority: The task's priority; without one, that of a detached task.
  ///   - operation: The body of the task.
  public static func run(
    key: (any Hashable & Sendable)? = nil,
    mode: TaskMode = .parallel,
    priority: TaskPriority? = nil,
    operation: @escaping EmittingOperation
  ) -> Effect {
    let form = Form.run(key: key.map { TaskKey($0) }, mode: mode, priority: priority) { context in
      try await operation(context.dispatch, context.emit)
    }
    return Effect(form)
  }
}

/// The functions by which the body of an effect reaches its store.
@usableFromInline
struct EffectContext<Action: Sendable>: Sendable {
  @usableFromInline typealias Operation = @Sendable (_ context: EffectContext) async throws -> Void

  let dispatch: @Sendable (Action) -> Void
  let emit: @Sendable (any Sendable) -> Void

  /// The same functions for actions that are embedded in those of this context.
  func pullback<Part: Sendable>(_ embed: @escaping @Sendable (Part) -> Action) -> EffectContext<Part> {
    EffectContext<Part>(dispatch: { [dispatch] part in dispatch(embed(part)) }, emit: emit)
  }
}
