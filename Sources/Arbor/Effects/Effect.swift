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
    case emit(any Sendable)
    case run(
      key: TaskKey?,
      mode: TaskMode,
      priority: TaskPriority?,
      isOngoing: Bool = false,
      EffectContext<Action>.Operation
    )
    case cancel(TaskKey, at: ScopePlace?)
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
    case .none, .send, .emit, .cancel: break
    case .run, .merge, .concatenate: Tree.releaseLater(ReleaseBatch([self]))
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
  ///   - operation: The body of the task. With a second argument, it emits activities as well: `{ dispatch, emit in … }`.
  public static func run(
    key: (any Hashable & Sendable)? = nil,
    mode: TaskMode = .parallel,
    priority: TaskPriority? = nil,
    operation: @escaping Operation
  ) -> Effect {
    let form = Form.run(key: key.map { TaskKey($0) }, mode: mode, priority: priority) { context in
      try await operation(context.dispatch)
    }
    return Effect(form)
  }

  /// Cancels the tasks with a key that exist when this is performed, and revokes their actions.
  ///
  /// - Parameter key: The key of the tasks; with nil nothing happens.
  public static func cancel(_ key: (any Hashable & Sendable)?) -> Effect {
    key.map { Effect(.cancel(TaskKey($0), at: nil)) } ?? .none
  }

  /// Cancels the tasks with a key of a feature that is scoped to a part of this one's state, in the way of
  /// ``cancel(_:)``.
  ///
  /// - A part or an element within an element is reached by an effect of that element's feature.
  /// - Parameters:
  ///   - key: The key of the tasks; with nil nothing happens.
  ///   - part: The key path to which the feature is scoped: `\AppState.editor`.
  ///   - id: The id of an element, if the part is a collection whose elements have the feature.
  public static func cancel<Whole, Part>(
    _ key: (any Hashable & Sendable)?,
    at part: any KeyPath<Whole, Part> & Sendable,
    id: (any Hashable & Sendable)? = nil
  ) -> Effect {
    key.map { Effect(.cancel(TaskKey($0), at: ScopePlace(part, id: id))) } ?? .none
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
  ///   ``StoreProtocol/isRunning(_:)``, a cancellation of its key reaches it, and a later task of its key finds it
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
  ///   ``StoreProtocol/isRunning(_:)``, a cancellation of its key reaches it, and a later task of its key finds it
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

  /// The keys of its tasks, each once.
  var keys: [TaskKey] {
    switch form {
    case .none, .send, .emit, .cancel, .run(nil, _, _, _, _): []
    case .run(let key?, _, _, _, _): [key]
    case .merge(let effects), .concatenate(let effects):
      effects.reduce(into: []) { keys, effect in keys += effect.keys.filter { !keys.contains($0) } }
    }
  }

  /// `true` if nobody waits for the effect until a tree has settled.
  var isOngoing: Bool {
    switch form {
    case .none: true
    case .send, .emit, .cancel: false
    case .run(_, _, _, let isOngoing, _): isOngoing
    case .merge(let effects), .concatenate(let effects): effects.allSatisfy(\.isOngoing)
    }
  }

  /// The same effect, for which a call of ``StoreProtocol/settled(isolation:)`` does not wait: one that listens to a
  /// socket, a clock or a sensor for as long as the program runs.
  public var ongoing: Effect {
    switch form {
    case .none, .send, .emit, .cancel: self
    case .run(let key, let mode, let priority, _, let operation):
      Effect(.run(key: key, mode: mode, priority: priority, isOngoing: true, operation))
    case .merge(let effects): Effect(.merge(effects.map(\.ongoing)))
    case .concatenate(let effects): Effect(.concatenate(effects.map(\.ongoing)))
    }
  }

  /// Wraps the actions of a feature's effect for a store of another action type, usually in an enum case:
  /// `effect.map(AppAction.feature)`.
  ///
  /// - Keys stay as they are, and belong to the store that declares the effect: two features of one store need
  ///   different keys.
  /// - Parameter embed: Wraps an action, usually in an enum case. May be called from any thread.
  public func map<Whole>(_ embed: @escaping @Sendable (_ action: Action) -> Whole) -> Effect<Whole> {
    switch form {
    case .none: Effect<Whole>(.none)
    case .send(let action): Effect<Whole>(.send(embed(action)))
    case .emit(let activity): Effect<Whole>(.emit(activity))
    case .run(let key, let mode, let priority, let isOngoing, let operation):
      Effect<Whole>(
        .run(key: key, mode: mode, priority: priority, isOngoing: isOngoing) { context in
          try await operation(context.pullback(embed))
        }
      )
    case .cancel(let key, let place): Effect<Whole>(.cancel(key, at: place))
    case .merge(let effects): Effect<Whole>(.merge(effects.map { $0.map(embed) }))
    case .concatenate(let effects): Effect<Whole>(.concatenate(effects.map { $0.map(embed) }))
    }
  }
}
