/// Work that an action starts, described as a value and performed by the store.
///
/// ```swift
/// let factory = StoreFactory(
///   initialState: AppState(),
///   effects: { state, action in
///     switch action {
///     case .search:
///       .run(key: "search", mode: .debounce(.milliseconds(300))) { [query = state.query] dispatch in
///         dispatch(.found(try await index.search(query)))
///       }
///     case .leave: .cancel("search")
///     default: .none
///     }
///   },
///   reducer: appReducer
/// )
/// ```
///
/// - It belongs to the store that declares it: that store receives its actions and has its keys.
/// - It is performed on the tree's queue, after the action's reducers and before the observers of its step: in a batch,
///   before the next action. A later part of a ``concatenate(_:)-swift.type.method`` is performed when the part before
///   it has ended.
/// - Its tasks are registered while it is performed, so a cancellation that follows always takes effect.
public struct Effect<Action: Sendable>: Sendable {
  /// The asynchronous work of a task; its argument `dispatch` sends actions.
  ///
  /// - `dispatch` works from any thread, any number of times, at any later time, also after the body has ended. It
  ///   silently does nothing once the task was cancelled or the store's owner is gone.
  public typealias Operation =
    @Sendable (_ dispatch: @escaping @Sendable (_ action: Action) -> Void) async throws -> Void

  @usableFromInline
  enum Form: Sendable {
    case none
    case send(Action)
    case run(key: TaskKey?, mode: TaskMode, priority: TaskPriority?, Operation)
    case cancel(TaskKey)
    case merge([Effect])
    case concatenate([Effect])
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
    case .none, .send, .cancel: break
    case .run, .merge, .concatenate: Tree.releaseLater(ReleaseBatch([self]))
    }
  }

  /// An effect that does nothing.
  public static var none: Effect { Effect(.none) }

  /// Sends an action, which is reduced after everything that is already waiting.
  public static func send(_ action: Action) -> Effect {
    Effect(.send(action))
  }

  /// Runs a task.
  ///
  /// - An error that it throws goes to the factory's `onEffectError`. A `CancellationError` is not reported, nor is any
  ///   error of a task that was cancelled.
  /// - A running task keeps neither the store nor its state alive. When the store's owner is released, the task is
  ///   cancelled; the actions that it has already sent are still reduced.
  /// - Parameters:
  ///   - key: Identifies the task for ``cancel(_:)`` and for the mode, in the store that declares the effect. A task
  ///     without a key cannot be cancelled by name.
  ///   - mode: The rule for this task and the others with an equal key.
  ///   - priority: The task's priority; without one, that of a detached task.
  ///   - operation: The body of the task.
  public static func run(
    key: (any Hashable & Sendable)? = nil,
    mode: TaskMode = .parallel,
    priority: TaskPriority? = nil,
    operation: @escaping Operation
  ) -> Effect {
    Effect(.run(key: key.map { TaskKey($0) }, mode: mode, priority: priority, operation))
  }

  /// Cancels the tasks with a key that exist when this is performed, and revokes their actions; a nil key does nothing.
  public static func cancel(_ key: (any Hashable & Sendable)?) -> Effect {
    key.map { Effect(.cancel(TaskKey($0))) } ?? .none
  }

  /// Effects that are performed at once, in order.
  public static func merge(_ effects: Effect...) -> Effect {
    merge(effects)
  }

  /// Effects that are performed at once, in order.
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
  public static func concatenate(_ effects: Effect...) -> Effect {
    concatenate(effects)
  }

  /// Effects that are performed one after the other.
  ///
  /// - Each effect is performed when all tasks of the one before have ended, even with an error.
  /// - If a task of an effect is cancelled, the effects after it are not performed.
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

  /// Wraps the actions of a feature's effect for a store of another action type, usually in an enum case:
  /// `effect.map(AppAction.feature)`.
  ///
  /// - Keys stay as they are, and belong to the store that declares the effect: two features of one store need
  ///   different keys.
  public func map<Whole>(_ embed: @escaping @Sendable (_ action: Action) -> Whole) -> Effect<Whole> {
    switch form {
    case .none: Effect<Whole>(.none)
    case .send(let action): Effect<Whole>(.send(embed(action)))
    case .run(let key, let mode, let priority, let operation):
      Effect<Whole>(
        .run(key: key, mode: mode, priority: priority) { dispatch in
          try await operation { action in dispatch(embed(action)) }
        }
      )
    case .cancel(let key): Effect<Whole>(.cancel(key))
    case .merge(let effects): Effect<Whole>(.merge(effects.map { $0.map(embed) }))
    case .concatenate(let effects): Effect<Whole>(.concatenate(effects.map { $0.map(embed) }))
    }
  }
}
