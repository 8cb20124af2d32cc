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

  /// A node's own interceptors; nil if it has none.
  @inlinable
  init?<State>(_ interceptors: [Interceptor<State, Action>], at port: Port, read: @escaping @Sendable () -> State) {
    guard let first = interceptors.first else { return nil }
    self.init { dispatch in
      let context = Interceptor<State, Action>.Context(dispatch: dispatch, read: read, port: port)
      guard interceptors.count > 1 else { return { action in first.admits(&action, context) } }
      return { action in
        for interceptor in interceptors {
          guard interceptor.admits(&action, context) else { return false }
        }
        return true
      }
    }
  }
}
