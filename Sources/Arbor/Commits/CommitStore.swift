public import Dispatch

/// The owner of a tree whose state you change with commits instead of actions of your own type.
///
/// ```swift
/// let counter = CommitStore(initialState: Counter())
/// counter.commit { $0.count += 1 }
/// ```
public typealias CommitStore<State: Sendable> = StoreFactory<State, Mutation<State>>

extension StoreFactory where Action == Mutation<State> {
  /// Makes a tree whose state you change with commits, without a reducer.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first commit.
  ///   - feature: The root's middleware, interceptors and effects; by default none. Its reducer is the middleware; see
  ///     ``init(initialState:interceptor:qos:settings:middleware:)``.
  ///   - qos: The quality of service of the tree's queue.
  ///   - settings: The name, the clock and the monitors of the tree, and the function that receives its effects'
  ///     errors.
  @inlinable
  public convenience init(
    initialState: State,
    feature: Feature<State, Action> = Feature(),
    qos: DispatchQoS = .userInteractive,
    settings: TreeSettings = TreeSettings()
  ) {
    self.init(
      initialState: initialState,
      feature.applyingCommits,
      qos,
      settings,
      canFail: { mutation in mutation.canFail },
      commitsInPlace: true,
      reduce: { middleware, box, tree in
        { mutation in mutation.change(box, followedBy: middleware, on: tree) }
      }
    )
  }

  /// Makes a tree whose state you change with commits, with middleware.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first commit.
  ///   - interceptor: Sees each mutation before it is applied, and may dispatch others; it passes every mutation.
  ///   - qos: The quality of service of the tree's queue.
  ///   - settings: The name, the clock and the monitors of the tree, and the function that receives its effects'
  ///     errors.
  ///   - middleware: Runs after each commit that succeeds, in the same step, before the effects and the observers. It
  ///     isn't called for a commit whose closure throws or whose optional part is nil.
  @inlinable
  public convenience init(
    initialState: State,
    interceptor: (@Sendable (_ action: Action, _ dispatch: @escaping @Sendable (Action) -> Void) -> Void)? = nil,
    qos: DispatchQoS = .userInteractive,
    settings: TreeSettings = TreeSettings(),
    middleware: @escaping Reducer<State, Action>
  ) {
    // Without this, a trailing closure would be a reducer that must apply each mutation itself.
    self.init(
      initialState: initialState,
      feature: Feature(interceptor: interceptor, reducer: middleware),
      qos: qos,
      settings: settings
    )
  }
}
