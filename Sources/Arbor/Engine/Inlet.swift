/// Where the actions of a store go; each closure says whether they were accepted.
@usableFromInline
final class Inlet<Action: Sendable>: Sendable {
  @usableFromInline let dispatch: @Sendable (Action) -> Bool
  @usableFromInline let dispatchBatch: @Sendable ([Action]) -> Bool
  @usableFromInline let dispatchAndWait: @Sendable (Action) -> Bool

  /// Makes a change for which its caller waits. `mutation` makes the action of it, for those who look at actions.
  @usableFromInline typealias Commit = @Sendable (_ change: Change, _ mutation: (WaitedCommit) -> Action) -> Bool
  @usableFromInline let commit: Commit
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
    commit: @escaping Commit,
    dispatchThen: @escaping @Sendable (Action, EffectGroup?, @escaping @Sendable () -> Void) -> Bool,
    dispatchRevocably: @escaping @Sendable (Action, TaskSender) -> Bool,
    tasks: TaskTable,
    upstream: @escaping @Sendable (AnyObject) -> Upstream<Action>
  ) {
    self.dispatch = dispatch
    self.dispatchBatch = dispatchBatch
    self.dispatchAndWait = dispatchAndWait
    self.commit = commit
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
      commit: { change, mutation in
        // What becomes of a mutation is for the closure to say.
        _ = WaitedCommit.with(change) { dispatch(mutation($0)) }
        return true
      },
      dispatchThen: { action, _, completion in
        dispatch(action)
        completion()
        return true
      },
      dispatchRevocably: { action, _ in call(action) },
      tasks: TaskTable(on: Mailbox()),
      upstream: { _ in
        Upstream(
          on: nil,
          intercept: nil,
          reduce: call,
          canFail: nil,
          discard: nil,
          effects: nil,
          report: { _, _, _ in },
          announce: nil
        )
      }
    )
  }

  /// The same way in for actions that are embedded in these, with tasks of its own.
  ///
  /// - Parameter commit: Makes a change in this one's state; else it is made by whoever finds its mutation in an action.
  @inlinable
  func embedding<PartAction: Sendable>(
    _ embed: @escaping @Sendable (PartAction) -> Action,
    watches: [TaskTable.Watch],
    commit: Inlet<PartAction>.Commit? = nil
  ) -> Inlet<PartAction> {
    Inlet<PartAction>(
      dispatch: { [dispatch] action in dispatch(embed(action)) },
      dispatchBatch: { [dispatchBatch] actions in dispatchBatch(actions.map(embed)) },
      dispatchAndWait: { [dispatchAndWait] action in dispatchAndWait(embed(action)) },
      commit: commit ?? { [dispatchAndWait, tasks] change, mutation in
        if tasks.mailbox.isInside { Misuse.committingInsideItsOwnTree.stop() }
        var isAccepted = false
        let isApplied = WaitedCommit.with(change) { isAccepted = dispatchAndWait(embed(mutation($0))) }
        guard isApplied || !isAccepted else { Misuse.droppingCommit.stop() }
        return isAccepted
      },
      dispatchThen: { [dispatchThen] action, group, completion in dispatchThen(embed(action), group, completion) },
      dispatchRevocably: { [dispatchRevocably] action, sender in dispatchRevocably(embed(action), sender) },
      tasks: TaskTable(in: tasks, watches: watches),
      upstream: { [upstream, dispatch] node in upstream(node).embedding(embed) { _ = dispatch($0) } }
    )
  }
}
