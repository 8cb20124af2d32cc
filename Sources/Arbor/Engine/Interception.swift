/// The interceptors of a node and of each ancestor.
@usableFromInline
struct Interception<Action: Sendable>: Sendable {
  /// Whether an action, or what takes its place, goes on to the reducers.
  @usableFromInline
  typealias Pass = @Sendable (_ action: inout Action) -> Bool

  /// Makes what actions pass that are dispatched to one node; called with the `dispatch` of that.
  @usableFromInline let forActions: @Sendable (_ dispatch: @escaping @Sendable (Action) -> Void) -> Pass

  @usableFromInline
  init(_ forActions: @escaping @Sendable (@escaping @Sendable (Action) -> Void) -> Pass) {
    self.forActions = forActions
  }
}
