/// Where the actions of a store go; each closure says whether they were accepted.
@usableFromInline
final class Inlet<Action: Sendable>: Sendable {
  @usableFromInline let dispatch: @Sendable (Action) -> Bool
  @usableFromInline let dispatchBatch: @Sendable ([Action]) -> Bool
  @usableFromInline let dispatchAndWait: @Sendable (Action) -> Bool
  @usableFromInline let dispatchThen: @Sendable (Action, @escaping @Sendable () -> Void) -> Bool

  /// What a child of this store needs of the node. Called with the node.
  @usableFromInline let upstream: @Sendable (AnyObject) -> Upstream<Action>

  @usableFromInline
  init(
    dispatch: @escaping @Sendable (Action) -> Bool,
    dispatchBatch: @escaping @Sendable ([Action]) -> Bool,
    dispatchAndWait: @escaping @Sendable (Action) -> Bool,
    dispatchThen: @escaping @Sendable (Action, @escaping @Sendable () -> Void) -> Bool,
    upstream: @escaping @Sendable (AnyObject) -> Upstream<Action>
  ) {
    self.dispatch = dispatch
    self.dispatchBatch = dispatchBatch
    self.dispatchAndWait = dispatchAndWait
    self.dispatchThen = dispatchThen
    self.upstream = upstream
  }

  /// The way into a store that was made by hand: everything calls its closure.
  convenience init(calling dispatch: @escaping @Sendable (Action) -> Void) {
    let call: @Sendable (Action) -> Bool = { action in
      dispatch(action)
      return true
    }
    self.init(
      dispatch: call,
      dispatchBatch: { actions in actions.allSatisfy(call) },
      dispatchAndWait: call,
      dispatchThen: { action, completion in
        dispatch(action)
        completion()
        return true
      },
      upstream: { _ in Upstream(intercept: nil, reduce: dispatch, announce: {}) }
    )
  }

  /// The same way in for actions that are embedded in these.
  @inlinable
  func embedding<PartAction: Sendable>(_ embed: @escaping @Sendable (PartAction) -> Action) -> Inlet<PartAction> {
    Inlet<PartAction>(
      dispatch: { [dispatch] action in dispatch(embed(action)) },
      dispatchBatch: { [dispatchBatch] actions in dispatchBatch(actions.map(embed)) },
      dispatchAndWait: { [dispatchAndWait] action in dispatchAndWait(embed(action)) },
      dispatchThen: { [dispatchThen] action, completion in dispatchThen(embed(action), completion) },
      upstream: { [upstream, dispatch] node in upstream(node).embedding(embed) { _ = dispatch($0) } }
    )
  }
}
