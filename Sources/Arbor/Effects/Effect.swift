/// Work that an action sets off, as a value: declared after the reducers have run, performed by the store.
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
/// - It is performed on the tree's queue, between the reducers and the observers of the action's step. Tasks are
///   registered then, so that to cancel one at once cancels it for sure.
public struct Effect<Action: Sendable>: Sendable {
  /// What a task does: asynchronous work, with the `dispatch` by which it sends actions.
  ///
  /// - `dispatch` works from any thread, any number of times, at any later time. It silently does nothing once the task was
  ///   cancelled or the store is gone.
  public typealias Operation =
    @Sendable (_ dispatch: @escaping @Sendable (_ action: Action) -> Void) async throws -> Void

  enum Form: Sendable {
    case none
    case send(Action)
    case run(key: TaskKey?, mode: TaskMode, priority: TaskPriority?, Operation)
    case cancel(TaskKey)
    case merge([Effect])
    case concatenate([Effect])
  }

  let form: Form

  init(_ form: Form) {
    self.form = form
  }

  /// Whether there is nothing to perform.
  var isNone: Bool {
    switch form {
    case .none: true
    case .merge(let effects), .concatenate(let effects): effects.allSatisfy(\.isNone)
    case .send, .run, .cancel: false
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

  /// Cancels the tasks with a key, as ``Store/cancel(_:)``.
  public static func cancel(_ key: some Hashable & Sendable) -> Effect {
    Effect(.cancel(TaskKey(key)))
  }

  /// Several effects, which are performed at once, in order.
  public static func merge(_ effects: Effect...) -> Effect {
    merge(effects)
  }

  /// Several effects, which are performed at once, in order.
  public static func merge(_ effects: [Effect]) -> Effect {
    Effect(.merge(effects))
  }

  /// Several effects of which each is performed when the one before it has ended, also if that has failed. If a task of one
  /// is cancelled, those behind it are not performed.
  public static func concatenate(_ effects: Effect...) -> Effect {
    concatenate(effects)
  }

  /// Several effects one after the other, as above.
  public static func concatenate(_ effects: [Effect]) -> Effect {
    Effect(.concatenate(effects))
  }

  /// The effect of a feature for a store of another action type; as a rule with an enum's case: `effect.map(AppAction.feature)`.
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
