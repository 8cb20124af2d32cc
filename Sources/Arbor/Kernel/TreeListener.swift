/// A listener to the events of a tree, apart from the steps of its actions.
@usableFromInline
protocol TreeListener: AnyObject, Sendable {
  /// The time since the tree was made, on the tree's clock. From any thread.
  var time: Duration { get }

  /// Reports an event that happened at a time. On the tree's queue.
  func report(_ event: StoreEvent, at time: Duration)

  /// Called after an interceptor has replaced the running action by another one. On the tree's queue.
  func replaced(by action: any Sendable)

  /// `true` if a monitor may close the tree's gate, and show other moments than the present. From any thread.
  var mayShowMoments: Bool { get }

  /// Called when a change was made whose caller waits for it, by the reducers of the running action.
  func didApplyCommit()

  /// `true` if causes are wanted. From any thread.
  var wantsCauses: Bool { get }

  /// The cause of what the tree's running callback causes. On the tree's queue.
  var runningCause: ActionCause { get set }

  /// Called before the tree shows another moment than the present. On the tree's queue.
  func willLeavePresent()

  /// Called when the present is shown again: the states are those that were left, or new ones.
  func didReturnToPresent(withNewStates: Bool)
}

extension TreeListener {
  /// Reports an event that happens right now. On the tree's queue.
  func report(_ event: StoreEvent) {
    report(event, at: time)
  }
}
