/// Where the actions of a store go; each closure says whether they were accepted.
@usableFromInline
final class Inlet<Action: Sendable>: Sendable {
  @usableFromInline let dispatch: @Sendable (Action) -> Bool
  @usableFromInline let dispatchBatch: @Sendable ([Action]) -> Bool
  @usableFromInline let dispatchAndWait: @Sendable (Action) -> Bool
  @usableFromInline let dispatchThen: @Sendable (Action, EffectGroup?, @escaping @Sendable () -> Void) -> Bool

  /// Dispatches an action of a task, which is not reduced if the task has revoked it by then.
  @usableFromInline let dispatchRevocably: @Sendable (Action, TaskSender) -> Bool

  /// The tasks that are known here.
  @usableFromInline let tasks: TaskTable

  /// What a child of this store needs of the node. Called with the node.
  @usableFromInline let upstream: @Sendable (AnyObject) -> Upstream<Action>

  @usableFromInline
  init(
    dispatch: @escaping @Sendable (Action) -> Bool,
    dispatchBatch: @escaping @Sendable ([Action]) -> Bool,
    dispatchAndWait: @escaping @Sendable (Action) -> Bool,
    dispatchThen: @escaping @Sendable (Action, EffectGroup?, @escaping @Sendable () -> Void) -> Bool,
    dispatchRevocably: @escaping @Sendable (Action, TaskSender) -> Bool,
    tasks: TaskTable,
    upstream: @escaping @Sendable (AnyObject) -> Upstream<Action>
  ) {
    self.dispatch = dispatch
    self.dispatchBatch = dispatchBatch
    self.dispatchAndWait = dispatchAndWait
    self.dispatchThen = dispatchThen
    self.dispatchRevocably = dispatchRevocably
    self.tasks = tasks
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
      dispatchThen: { action, _, completion in
        dispatch(action)
        completion()
        return true
      },
      dispatchRevocably: { action, _ in call(action) },
      tasks: TaskTable(on: Mailbox()),
      upstream: { _ in
        Upstream(intercept: nil, reduce: dispatch, effects: nil, report: { _, _, _ in }, announce: {})
      }
    )
  }

  /// The same way in for actions that are embedded in these, with tasks of its own.
  @inlinable
  func embedding<PartAction: Sendable>(
    _ embed: @escaping @Sendable (PartAction) -> Action,
    watches: [TaskTable.Watch]
  ) -> Inlet<PartAction> {
    Inlet<PartAction>(
      dispatch: { [dispatch] action in dispatch(embed(action)) },
      dispatchBatch: { [dispatchBatch] actions in dispatchBatch(actions.map(embed)) },
      dispatchAndWait: { [dispatchAndWait] action in dispatchAndWait(embed(action)) },
      dispatchThen: { [dispatchThen] action, group, completion in dispatchThen(embed(action), group, completion) },
      dispatchRevocably: { [dispatchRevocably] action, sender in dispatchRevocably(embed(action), sender) },
      tasks: TaskTable(in: tasks, watches: watches),
      upstream: { [upstream, dispatch] node in upstream(node).embedding(embed) { _ = dispatch($0) } }
    )
  }
}
