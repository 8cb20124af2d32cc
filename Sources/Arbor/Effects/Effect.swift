/// Work that an action starts, described as a value and performed by the store.
///
/// ```swift
/// let factory = StoreFactory(
///   initialState: AppState(),
///   feature: Feature(
///     effects: { state, action in
///       switch action {
///       case .search:
///         .run(key: "search", mode: .debounce(.milliseconds(300))) { [query = state.query] dispatch in
///           dispatch(.found(try await index.search(query)))
///         }
///       case .leave: .cancel("search")
///       default: .none
///       }
///     },
///     reducer: appReducer
///   )
/// )
/// ```
///
/// - It belongs to the store that declares it: that store receives its actions and has its keys.
/// - It is performed on the tree's queue, after the action's reducers and before the observers of its step. In a batch,
///   each action's effect is performed before the next action, with the state that its own action has left: an effect
///   belongs to its action. Work that depends on the state alone is a ``StateEffect``, and is judged once for a batch.
/// - Its tasks are registered while it is performed, so a cancellation that follows always takes effect; so are the keys
///   of the later parts of a `concatenate`.
public struct Effect<Action: Sendable>: Sendable {
  /// The asynchronous work of a task; its argument `dispatch` sends actions.
  ///
  /// - `dispatch` works from any thread, any number of times, at any later time, also after the body has ended. It
  ///   silently does nothing once the task was cancelled or the store's owner is gone.
  public typealias Operation =
    @Sendable (_ dispatch: @escaping @Sendable (_ action: Action) -> Void) async throws -> Void

  @usableFromInline
  indirect enum Form: Sendable {
    case none
    case send(Action)
    case sendBatch([Action])
    case emit(any Sendable)
    case run(
      key: TypedKey?,
      mode: TaskMode,
      priority: TaskPriority?,
      isOngoing: Bool = false,
      EffectContext<Action>.Operation
    )
    case cancel(TypedKey, at: ScopePlace?)
    case cancelAll(at: ScopePlace?)
    case merge([Effect])
    case concatenate([Effect])
    case catching(Effect, @Sendable (any Error) -> Action)
  }

  @usableFromInline let form: Form

  @inlinable
  init(_ form: Form) {
    self.form = form
  }

  /// `true` if there is nothing to perform.
  @inlinable
  var isNone: Bool {
    if case .none = form { true } else { false }
  }

  /// Keeps the effect's closures until the thread has left the queue of every tree, so that they are not released
  /// inside a step if a task never begins or ends quickly.
  @usableFromInline
  func releaseLater() {
    switch form {
    case .none, .send, .sendBatch, .emit, .cancel, .cancelAll: break
    case .run, .merge, .concatenate, .catching: Tree.releaseLater(ReleaseBatch([self]))
    }
  }

  /// An effect that does nothing.
  @inlinable public static var none: Effect { Effect(.none) }

  /// Sends an action, which is reduced after everything that is already waiting.
  ///
  /// - Parameter action: The action, which the store that declares the effect receives.
  public static func send(_ action: Action) -> Effect {
    Effect(.send(action))
  }

  /// Sends actions that are reduced as one step, after everything that is already waiting; see
  /// ``StoreProtocol/dispatch(batch:)``.
  ///
  /// - Parameter actions: The actions, which the store that declares the effect receives. Without any, the result is
  ///   ``none``.
  public static func send(batch actions: [Action]) -> Effect {
    actions.isEmpty ? .none : Effect(.sendBatch(actions))
  }

  /// Runs a task.
  ///
  /// - An error that it throws goes to the `onEffectError` of the feature or of the tree's settings. A
  ///   `CancellationError` is not reported, nor is any error of a task that was cancelled.
  /// - A running task keeps neither the store nor its state alive. When the store's owner is released, the task is
  ///   cancelled; the actions that it has already sent are still reduced.
  /// - Parameters:
  ///   - key: Identifies the task for ``cancel(_:at:)`` and for the mode, in the store that declares the effect. A task
  ///     without a key cannot be cancelled by name.
  ///   - mode: The rule for this task and the others with an equal key.
  ///   - priority: The task's priority; without one, that of a detached task.
  ///   - retries: The number of times that the body is called again when it throws an error. The error after the last
  ///     retry is the task's. Actions that the body has sent before an error stay sent. A `CancellationError` and the
  ///     error of a cancelled task are not retried.
  ///   - backoff: The delays before the retries, measured by the factory's clock. The task runs meanwhile, and keeps its
  ///     key.
  ///   - operation: The body of the task. With a second argument, it emits activities as well: `{ dispatch, emit in … }`.
  public static func run(
    key: (any Hashable & Sendable)? = nil,
    mode: TaskMode = .parallel,
    priority: TaskPriority? = nil,
    retries: Int = 0,
    backoff: EffectBackoff = .none,
    operation: @escaping Operation
  ) -> Effect {
    let form = Form.run(key: key.map { TypedKey($0) }, mode: mode, priority: priority) { context in
      try await context.performWithRetries(atMost: retries, backoff) { try await operation(context.dispatch) }
    }
    return Effect(form)
  }

  /// Cancels the tasks with a key that exist when this is performed, and revokes their actions.
  ///
  /// - Parameters:
  ///   - key: The key of the tasks; with nil nothing happens.
  ///   - place: The place of the tasks in the state of the feature that declares the effect: `.part(\AppState.editor)`.
  ///     By default they are that feature's own.
  public static func cancel<Whole>(
    _ key: (any Hashable & Sendable)?,
    at place: TaskPlace<Whole> = TaskPlace<Never>.own
  ) -> Effect {
    key.map { Effect(.cancel(TypedKey($0), at: place.scope)) } ?? .none
  }

  /// Cancels all tasks of a place and of the parts within it, and revokes their actions.
  ///
  /// - It cancels the tasks that exist when it is performed.
  /// - It leaves alone the tasks of child stores, which have a state of their own.
  /// - A scope of a longer key path counts as within a part only if it was made of a scope of the part, or by a feature
  ///   that is scoped within it.
  /// - Parameter place: The place in the state of the feature that declares the effect: `.part(\AppState.editor)`. A part
  ///   that is a collection stands for all its elements. By default it is that feature's whole state.
  public static func cancelAll<Whole>(at place: TaskPlace<Whole> = TaskPlace<Never>.own) -> Effect {
    Effect(.cancelAll(at: place.scope))
  }

  /// Effects that are performed at once, in order.
  ///
  /// - Parameter effects: The effects; without any, the result is ``none``.
  public static func merge(_ effects: Effect...) -> Effect {
    merge(effects)
  }

  /// Effects that are performed at once, in order.
  ///
  /// - Parameter effects: The effects; without any, the result is ``none``.
  public static func merge(_ effects: [Effect]) -> Effect {
    // Flat, so that a long chain of nested merges needs no stack.
    joined(effects, Form.merge) { form in
      if case .merge(let parts) = form { parts } else { nil }
    }
  }

  /// Effects that are performed one after the other.
  ///
  /// - Each effect is performed when all tasks of the one before have ended, even with an error.
  /// - If a task of an effect is cancelled, the effects after it are not performed.
  /// - The keys of all its tasks are the sequence's from the start: a task that has not begun yet is running for
  ///   ``StoreProtocol/isRunning(_:at:)``, a cancellation of its key reaches it, and a later task of its key finds it
  ///   waiting. Only a `waitInCurrent` task does not wait for it.
  /// - Parameter effects: The effects; without any, the result is ``none``.
  public static func concatenate(_ effects: Effect...) -> Effect {
    concatenate(effects)
  }

  /// Effects that are performed one after the other.
  ///
  /// - Each effect is performed when all tasks of the one before have ended, even with an error.
  /// - If a task of an effect is cancelled, the effects after it are not performed.
  /// - The keys of all its tasks are the sequence's from the start: a task that has not begun yet is running for
  ///   ``StoreProtocol/isRunning(_:at:)``, a cancellation of its key reaches it, and a later task of its key finds it
  ///   waiting. Only a `waitInCurrent` task does not wait for it.
  /// - Parameter effects: The effects; without any, the result is ``none``.
  public static func concatenate(_ effects: [Effect]) -> Effect {
    joined(effects, Form.concatenate) { form in
      if case .concatenate(let parts) = form { parts } else { nil }
    }
  }

  /// Joins effects into one: flattens nested effects of the same form and removes those that are ``none``.
  private static func joined(
    _ effects: [Effect],
    _ join: ([Effect]) -> Form,
    _ parts: (Form) -> [Effect]?
  ) -> Effect {
    let parts = effects.flatMap { effect in effect.isNone ? [] : parts(effect.form) ?? [effect] }
    return parts.count > 1 ? Effect(join(parts)) : parts.first ?? .none
  }
}

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
  ///   - key: Identifies the task for ``cancel(_:at:)`` and for the mode; a task without one cannot be cancelled by name.
  ///   - mode: The rule for this task and the others with an equal key.
  ///   - priority: The task's priority; without one, that of a detached task.
  ///   - retries: The number of times that the body is called again when it throws an error.
  ///   - backoff: The delays before the retries.
  ///   - operation: The body of the task.
  public static func run(
    key: (any Hashable & Sendable)? = nil,
    mode: TaskMode = .parallel,
    priority: TaskPriority? = nil,
    retries: Int = 0,
    backoff: EffectBackoff = .none,
    operation: @escaping EmittingOperation
  ) -> Effect {
    let form = Form.run(key: key.map { TypedKey($0) }, mode: mode, priority: priority) { context in
      try await context.performWithRetries(atMost: retries, backoff) {
        try await operation(context.dispatch, context.emit)
      }
    }
    return Effect(form)
  }
}
