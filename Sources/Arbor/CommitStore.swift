public import Dispatch

/// The owner of a tree whose state is changed by commits instead of actions of a type of its own.
///
/// ```swift
/// let counter = CommitStore(initialState: Counter())
/// counter.commit { $0.count += 1 }
/// ```
public typealias CommitStore<State: Sendable> = StoreFactory<State, Mutation<State>>

extension StoreFactory where Action == Mutation<State> {
  /// Makes a tree whose state is changed by commits; it needs no reducer.
  ///
  /// - Otherwise like
  ///   ``init(initialState:name:interceptor:interceptors:effects:stateEffects:qos:clock:onEffectError:monitors:reducer:)``,
  ///   which says more of what it shares with this one.
  /// - Parameters:
  ///   - initialState: The state before the first commit.
  ///   - name: The name of the root in logs, traces, recordings and reports. Without it, that of its state's type.
  ///   - interceptor: Sees each mutation and may dispatch others; it passes all.
  ///   - interceptors: Judge each mutation, in order.
  ///   - effects: Returns the effect of a mutation, with the new state.
  ///   - stateEffects: The effects that follow the state.
  ///   - qos: The quality of service of the tree's queue.
  ///   - clock: The clock of the tree's delays.
  ///   - onEffectError: Receives the errors of effects.
  ///   - monitors: Receive what happens in the tree.
  ///   - middleware: A reducer that runs after each commit that succeeded, in the same step, before the effects and the
  ///     observers. It is not called for a commit whose closure threw or whose optional part is nil.
  @inlinable
  public convenience init(
    initialState: State,
    name: String? = nil,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    interceptors: [Interceptor<State, Action>] = [],
    effects: (@Sendable (_ state: State, _ action: Action) -> Effect<Action>)? = nil,
    stateEffects: [StateEffect<State, Action>] = [],
    qos: DispatchQoS = .userInteractive,
    clock: any Clock<Duration> = ContinuousClock(),
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)? =
      nil,
    monitors: [any StoreMonitor] = [],
    middleware: Reducer<State, Action>? = nil
  ) {
    self.init(
      initialState: initialState,
      Feature(
        interceptor: interceptor,
        interceptors: interceptors,
        effects: effects,
        stateEffects: stateEffects,
        reducer: middleware
      ),
      commitsWith: TreeSettings(
        name: name,
        qos: qos,
        clock: clock,
        onEffectError: onEffectError,
        monitors: monitors,
        executor: QueueExecutor()
      )
    )
  }

  /// Makes a tree whose state is changed by commits, and whose root does what a feature says.
  ///
  /// - Otherwise like
  ///   ``init(initialState:name:interceptor:interceptors:effects:stateEffects:qos:clock:onEffectError:monitors:middleware:)``.
  /// - Parameters:
  ///   - initialState: The state before the first commit.
  ///   - name: The name of the root in logs, traces, recordings and reports. Without it, that of its state's type.
  ///   - feature: All that the root does beside its commits. Its reducer is the middleware, which runs after each
  ///     commit that succeeded.
  ///   - qos: The quality of service of the tree's queue.
  ///   - clock: The clock of the tree's delays, and of the times in monitors.
  ///   - onEffectError: Receives the errors of effects' tasks, a child's included, that neither their feature nor a
  ///     ``StateEffect`` handles. Without it, they are printed to standard error.
  ///   - monitors: Receive what happens in the tree; see ``StoreMonitor``.
  @inlinable
  public convenience init(
    initialState: State,
    name: String? = nil,
    feature: Feature<State, Action>,
    qos: DispatchQoS = .userInteractive,
    clock: any Clock<Duration> = ContinuousClock(),
    onEffectError: (@Sendable (_ key: (any Hashable & Sendable)?, _ action: Action?, _ error: any Error) -> Void)? =
      nil,
    monitors: [any StoreMonitor] = []
  ) {
    self.init(
      initialState: initialState,
      feature,
      commitsWith: TreeSettings(
        name: name,
        qos: qos,
        clock: clock,
        onEffectError: onEffectError,
        monitors: monitors,
        executor: QueueExecutor()
      )
    )
  }

  @inlinable
  package convenience init(
    initialState: State,
    _ feature: Feature<State, Action>,
    commitsWith settings: TreeSettings<Action>
  ) {
    self.init(
      initialState: initialState,
      feature.applyingCommits,
      settings,
      commitsInPlace: true
    ) { box, tree, middleware in
      { mutation in mutation.change(box, followedBy: middleware, on: tree) }
    }
  }

  /// A store of a part of the root's state, with commits of that part; the same as ``StoreProtocol/scope(at:)``.
  ///
  /// - Parameter part: The key path of the part.
  @inlinable
  public func scopeStore<Part: Sendable>(
    at part: any WritableKeyPath<State, Part> & Sendable
  ) -> Store<Part, Mutation<Part>> {
    root.scope(at: part)
  }

  /// A store of an optional part of the root's state, with commits of that part; the same as
  /// ``StoreProtocol/scope(atOptional:)``.
  ///
  /// - Parameter part: The key path of the optional part.
  @inlinable
  public func scopeStore<Part: Sendable>(
    atOptional part: any WritableKeyPath<State, Part?> & Sendable
  ) -> Store<Part, Mutation<Part>> {
    root.scope(atOptional: part)
  }
}

extension StateEffect where Action == Mutation<State> {
  /// Declares the effect of one job in the state of a store of commits, whose errors fail the job.
  ///
  /// ```swift
  /// StateEffect(at: \.upload) { state in
  ///   .run { [file = state.file] commit in
  ///     try await server.send(file)
  ///     commit(Mutation { $0.upload.succeed() })
  ///   }
  /// }
  /// ```
  ///
  /// - An error that a task of the effect throws is committed by `retryOrFail(_:)`: it begins the next attempt, or
  ///   fails the job, whose ``JobState/reason`` says why.
  /// - That is a mutation like any other. It is revoked if the attempt is left before.
  /// - Parameters:
  ///   - job: The key path of the job's status.
  ///   - name: The name of the mutations of errors; by default that of the function that declares the effect.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - effect: Makes the effect of one attempt.
  public init(
    at job: any WritableKeyPath<State, JobState> & Sendable,
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    effect: @escaping @Sendable (_ state: State) -> Effect<Action>
  ) {
    let read = PartReader(job)
    self.init(
      { state in read(state) },
      failure: { error in
        Mutation(named: name, fileID: fileID, line: line) { state in state[keyPath: job].retryOrFail(error) }
      }, fileID: fileID, line: line, effect: effect)
  }
}
