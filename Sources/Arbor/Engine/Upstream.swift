/// What a child needs of the node above it, seen through the scopes between them.
@usableFromInline
struct Upstream<Action: Sendable>: Sendable {
  /// The reducers of that node and of each ancestor, the root's last.
  @usableFromInline let reduce: @Sendable (Action) -> Void

  /// The interceptors in the same order; nil if there are none.
  @usableFromInline let intercept: (@Sendable (Action, @escaping @Sendable (Action) -> Void) -> Void)?

  /// Calls the observers of the whole tree.
  @usableFromInline let announce: @Sendable () -> Void

  @usableFromInline
  init(
    reduce: @escaping @Sendable (Action) -> Void,
    intercept: (@Sendable (Action, @escaping @Sendable (Action) -> Void) -> Void)?,
    announce: @escaping @Sendable () -> Void
  ) {
    self.reduce = reduce
    self.intercept = intercept
    self.announce = announce
  }

  /// The same for a child whose actions are embedded in these: once, before the interceptors, also if there are none.
  ///
  /// - The interceptors above get the `dispatch` of the node where the embedding begins: the child's own takes actions
  ///   of a type that they do not know.
  @inlinable
  func embedding<ChildAction: Sendable>(
    _ embed: @escaping @Sendable (ChildAction) -> Action,
    dispatch: @escaping @Sendable (Action) -> Void
  ) -> Upstream<ChildAction> {
    let passing = PassingAction<Action>()
    return Upstream<ChildAction>(
      reduce: { [reduce] _ in reduce(passing.take()) },
      intercept: { [intercept] action, _ in
        let embedded = embed(action)
        intercept?(embedded, dispatch)
        passing.put(embedded)
      },
      announce: announce
    )
  }

  /// A child's interceptor followed by these.
  @inlinable
  func intercepting(
    after interceptor: (@Sendable (Action, @escaping @Sendable (Action) -> Void) -> Void)?
  ) -> (@Sendable (Action, @escaping @Sendable (Action) -> Void) -> Void)? {
    guard let interceptor else { return intercept }
    guard let intercept else { return interceptor }
    return { action, dispatch in
      interceptor(action, dispatch)
      intercept(action, dispatch)
    }
  }
}
