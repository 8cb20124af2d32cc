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
/// - It belongs to the store that declares it: there it sends its actions, and there its keys are known.
/// - It is performed on the tree's queue, between the reducers and the observers of the action's step. A later part of a
///   ``concatenate(_:)-swift.type.method`` is performed when the part before it has ended. Tasks are registered then, so that
///   to cancel one at once cancels it for sure.
public struct Effect<Action: Sendable>: Sendable {
  /// The asynchronous work of a task, with the `dispatch` by which it sends actions.
  ///
  /// - `dispatch` works from any thread, any number of times, at any later time, also when the body has ended. It silently
  ///   does nothing once the task was cancelled or the store is gone.
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

  /// Lets go of closures that it may be the last to hold: those of tasks that never begin, or end quickly.
  @usableFromInline
  func releaseLater() {
    switch form {
    case .none, .send, .cancel: break
    case .run, .merge, .concatenate: Tree.releaseLater(ReleaseBatch([self]))
    }
  }

  /// Nothing.
  public static var none: Effect { Effect(.none) }

  /// Sends an action, behind what is already waiting.
  public static func send(_ action: Action) -> Effect {
    Effect(.send(action))
  }

  /// Runs a task.
  ///
  /// - An error that it throws goes to the factory's `onEffectError`. A `CancellationError` is silence, and so is any error
  ///   of a task that was cancelled.
  /// - A running task keeps neither the store nor its state alive. When the store goes it is cancelled; what it has sent is
  ///   reduced all the same.
  /// - Parameters:
  ///   - key: What the task is known by, in the store that declares the effect; without one it is known to nobody.
  ///   - mode: What becomes of it and of others with an equal key.
  ///   - priority: The task's priority; without one, that of a detached task.
  ///   - operation: What it does.
  public static func run(
    key: (any Hashable & Sendable)? = nil,
    mode: TaskMode = .parallel,
    priority: TaskPriority? = nil,
    operation: @escaping Operation
  ) -> Effect {
    Effect(.run(key: key.map { TaskKey($0) }, mode: mode, priority: priority, operation))
  }

  /// Cancels the tasks with a key that exist when this is performed, and revokes their actions; with nil it does nothing.
  public static func cancel(_ key: (any Hashable & Sendable)?) -> Effect {
    key.map { Effect(.cancel(TaskKey($0))) } ?? .none
  }

  /// Several effects, which are performed at once, in order.
  public static func merge(_ effects: Effect...) -> Effect {
    merge(effects)
  }

  /// Several effects, which are performed at once, in order.
  public static func merge(_ effects: [Effect]) -> Effect {
    // Flat, so that to fold effects into one another needs no stack.
    joined(effects, Form.merge) { form in
      if case .merge(let parts) = form { parts } else { nil }
    }
  }

  /// Several effects of which each is performed when the one before it has ended, also if that has failed. If a task of one
  /// is cancelled, those behind it are not performed.
  public static func concatenate(_ effects: Effect...) -> Effect {
    concatenate(effects)
  }

  /// Several effects one after the other, as above.
  public static func concatenate(_ effects: [Effect]) -> Effect {
    joined(effects, Form.concatenate) { form in
      if case .concatenate(let parts) = form { parts } else { nil }
    }
  }

  /// Several effects as one, with the parts of those that are made of such parts themselves, and without those that are none.
  private static func joined(
    _ effects: [Effect],
    _ join: ([Effect]) -> Form,
    _ parts: (Form) -> [Effect]?
  ) -> Effect {
    let parts = effects.flatMap { effect in effect.isNone ? [] : parts(effect.form) ?? [effect] }
    return parts.count > 1 ? Effect(join(parts)) : parts.first ?? .none
  }

  /// The effect of a feature for a store of another action type; as a rule with an enum's case: `effect.map(AppAction.feature)`.
  ///
  /// - Keys stay as they are, and belong to the store that declares the effect: two features of one store need different keys.
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
