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

  /// A node's own interceptors, the plain closure first; nil if it has none.
  @inlinable
  init?<State>(
    _ closure: (@Sendable (Action, @escaping @Sendable (Action) -> Void) -> Void)?,
    _ interceptors: [Interceptor<State, Action>],
    at port: Port,
    read: @escaping @Sendable () -> State
  ) {
    guard !interceptors.isEmpty else {
      guard let closure else { return nil }
      self.init { dispatch in
        { action in
          closure(action, dispatch)
          return true
        }
      }
      return
    }
    self.init { dispatch in
      let context = Interceptor<State, Action>.Context(dispatch: dispatch, read: read, port: port)
      return { action in
        closure?(action, dispatch)
        for interceptor in interceptors {
          guard interceptor.admits(&action, context) else { return false }
        }
        return true
      }
    }
  }
}
