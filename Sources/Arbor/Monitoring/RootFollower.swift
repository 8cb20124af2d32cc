package import Dispatch

/// A monitor that follows the state of a tree's root from step to step, and doesn't want single actions. If all
/// monitors of a tree do so, the tree doesn't trace actions.
///
/// - Its functions are called on the tree's queue.
package protocol RootFollower: StoreMonitor {
  /// Receives the root of the tree that is made with this monitor. Called once, before anything happens in the tree.
  func follow<State: Sendable>(_ root: FollowedRoot<State>)

  /// Returns a function that receives each action that the root's reducer reduced; nil if they aren't wanted. Called
  /// once, after ``follow(_:)``.
  func actionReceiver<Action: Sendable>(of type: Action.Type) -> (@Sendable (Action) -> Void)?

  /// Returns a function that replaces the root's reducer and calls it, for a follower that compares the states before
  /// and after an action. Nil if the follower doesn't need that. Called once, after ``follow(_:)``.
  ///
  /// - Parameter reduce: Reduces an action, and returns `true` if that was a step.
  func reducer<Action: Sendable>(
    around reduce: @escaping @Sendable (Action) -> Bool
  ) -> (@Sendable (Action) -> Bool)?

  /// Returns a function that is called after the observers of each step, while ``FollowedRoot/wantsSteps``. Called
  /// once, after ``follow(_:)``.
  func stepReceiver() -> @Sendable () -> Void

  /// Called after the root can receive activities.
  func didBegin()

  /// Called before the tree shows a moment other than the present.
  func willLeavePresent()

  /// Called when the present is shown again, with its previous states or with new ones.
  func didReturnToPresent(withNewStates: Bool)
}

extension RootFollower {
  /// Doesn't compare states.
  package func reducer<Action: Sendable>(
    around reduce: @escaping @Sendable (Action) -> Bool
  ) -> (@Sendable (Action) -> Bool)? {
    nil
  }
}

/// The root of a tree that a monitor follows. It keeps the state, and the tree without its functions.
package final class FollowedRoot<State: Sendable>: Sendable {
  private let address: NodeAddress
  private let box: StateBox<State>

  /// The number of monitors that follow the root.
  fileprivate let followers = AtomicNumber(0)

  /// `true` if each step is reported to the followers.
  let wantsSteps = AtomicFlag(true)

  init(at address: NodeAddress, _ box: StateBox<State>) {
    self.address = address
    self.box = box
  }

  /// Sets if the follower is notified of steps. May be called from any thread. Does nothing if there are several
  /// followers.
  package func wantSteps(_ isWanted: Bool) {
    if followers.loadRelaxed() == 1 { wantsSteps.store(isWanted) }
  }

  /// The identity of the root's store.
  package var store: MonitoredStore? { address.host.monitored }

  /// The state. Only read on the tree's queue.
  package var state: State { box.pointer.pointee }

  /// The number of the running work, which no other work of the tree has. Only read on the tree's queue.
  package var turn: UInt64 { address.tree.turn }

  /// Decides, in an interceptor, that the running action is reduced, even if its sender is revoked afterward.
  ///
  /// - Returns: `false` if the sender is already revoked, so that the action isn't reduced.
  package func decideAction() -> Bool {
    guard address.tree.step.revocableSender?.isRevoked != true else { return false }
    address.tree.step.revocableSender = nil
    return true
  }

  /// Calls a body on the tree's queue after everything already accepted, even if the root's owner is gone. Called from
  /// outside the tree's callbacks.
  package func wait(_ body: () -> Void) {
    address.tree.wait(for: "flush", body)
  }

  /// Sends an activity to the root's store, unless its owner is gone.
  package func emit(_ activity: some Sendable) {
    _ = address.emit(activity)
  }

  /// Returns a function that returns the time on the tree's clock since this call.
  package func stopwatch() -> @Sendable () -> TreeTime { TreeTime.stopwatch(on: address.tree.clock) }

  /// Runs work after a duration on the clock of the tree.
  ///
  /// - Returns: A closure that cancels the work; it does nothing after the work has begun.
  package func schedule(after duration: Duration, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    address.tree.executor.schedule(after: duration, on: address.tree.clock, work)
  }

  /// Runs work that may wait for the tree on a queue, at a time that the executor of the tree determines.
  package func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    let tree = address.tree
    tree.deliver(on: queue) {
      // If a manual executor steps it in the middle of a step, it is sent again.
      guard tree.executor.canWait(for: tree) else { return self.deliver(on: queue, work) }
      work()
    }
  }
}

extension NewStore {
  /// Passes a root to the monitors that follow it, and includes them in its steps.
  mutating func follow(with followers: [any RootFollower]) {
    guard let first = followers.first else { return }
    let root = FollowedRoot(at: address, box)
    root.followers.add(followers.count)
    for follower in followers { follower.follow(root) }
    for follower in followers {
      guard let reduce = follower.reducer(around: reduce ?? { _ in true }) else { continue }
      replaceReduce(mustReduceCommits: true, by: reduce)
    }
    let receivers = followers.compactMap { $0.actionReceiver(of: Action.self) }
    if !receivers.isEmpty {
      replaceReduce { [reduce] action in
        guard reduce?(action) != false else { return false }
        for receive in receivers { receive(action) }
        return true
      }
    }
    let tellAll = followers.dropFirst().reduce(first.stepReceiver()) { both($0, $1.stepReceiver())! }
    didStep = { if root.wantsSteps.loadRelaxed() { tellAll() } }
  }
}

extension StoreProtocol {
  /// Sends an action whose step the caller waits for: a tree that shows another moment returns to the present.
  ///
  /// - Parameter didRun: Called on the tree's queue, in the turn of the action, with `true` if it was reduced.
  /// - Returns: `false` if the owner is gone.
  package func dispatchAwaited(_ action: Action, didRun: @escaping @Sendable (_ isReduced: Bool) -> Void) -> Bool {
    asStore.sink.submit(.awaited(action, AwaitedStep(didRun: didRun) {}))
  }
}
