package import Dispatch

/// A monitor that follows the state of a tree's root, from step to step, and does not want to know of single actions: a
/// tree whose monitors all do so traces none.
///
/// - Its functions are called on the tree's queue.
package protocol RootFollower: StoreMonitor {
  /// Receives the root of the tree that is made with this monitor. Called once, before anything happens in the tree.
  func follow<State: Sendable>(_ root: FollowedRoot<State>)

  /// Returns a function that receives each action that the root's reducer has reduced; nil if they are not wanted.
  /// Called once, after ``follow(_:)``.
  func actionReceiver<Action: Sendable>(of type: Action.Type) -> (@Sendable (Action) -> Void)?

  /// Returns a function that takes the place of the root's reducer, and calls it: for a follower that compares the
  /// states before and after an action. Nil if it does not. Called once, after ``follow(_:)``.
  ///
  /// - Parameter reduce: Reduces an action, and returns whether that was a step.
  func reducer<Action: Sendable>(
    around reduce: @escaping @Sendable (Action) -> Bool
  ) -> (@Sendable (Action) -> Bool)?

  /// Returns a function that is called after each step, behind the observers, while ``FollowedRoot/wantsSteps``. Called
  /// once, after ``follow(_:)``.
  func stepReceiver() -> @Sendable () -> Void

  /// Called once activities can be sent to the root.
  func didBegin()

  /// Called before the tree shows another moment than the present.
  func willLeavePresent()

  /// Called when the present is shown again: the states are those that were left, or new ones.
  func didReturnToPresent(withNewStates: Bool)
}

extension RootFollower {
  /// Compares no states.
  package func reducer<Action: Sendable>(
    around reduce: @escaping @Sendable (Action) -> Bool
  ) -> (@Sendable (Action) -> Bool)? {
    nil
  }
}

/// The root of a tree that a monitor follows. It keeps the state, and the tree without what it does.
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

  /// Says whether the follower is to be told of steps. From any thread. Does nothing if there are several.
  package func wantSteps(_ isWanted: Bool) {
    if followers.loadRelaxed() == 1 { wantsSteps.store(isWanted) }
  }

  /// The identity of the root's store.
  package var store: MonitoredStore? { address.host.monitored }

  /// The state. On the tree's queue only.
  package var state: State { box.pointer.pointee }

  /// The number of the work that runs, which no other work of the tree has. On the tree's queue only.
  package var turn: UInt64 { address.tree.turn }

  /// Decides, in an interceptor, that the running action is reduced, even if its sender is revoked afterwards.
  ///
  /// - Returns: `false` if the sender is revoked already, so that the action is not reduced.
  package func decideAction() -> Bool {
    guard address.tree.step.revocableSender?.isRevoked != true else { return false }
    address.tree.step.revocableSender = nil
    return true
  }

  /// Calls a body on the tree's queue after everything accepted before, also when the root's owner has gone. From
  /// outside the tree's callbacks.
  package func wait(_ body: () -> Void) {
    address.tree.wait(for: "flush", body)
  }

  /// Sends an activity to the root's store, unless its owner has gone.
  package func emit(_ activity: some Sendable) {
    _ = address.emit(activity)
  }

  /// The time on the clock of the tree since this call.
  package func stopwatch() -> @Sendable () -> TreeTime { TreeTime.stopwatch(on: address.tree.clock) }

  /// Runs work after a duration on the clock of the tree.
  ///
  /// - Returns: A closure that cancels the work; it does nothing once the work has begun.
  package func schedule(after duration: Duration, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    address.tree.executor.schedule(after: duration, on: address.tree.clock, work)
  }

  /// Runs work that may wait for the tree on a queue, when the executor of the tree says so.
  package func deliver(on queue: DispatchQueue, _ work: @escaping @Sendable () -> Void) {
    let tree = address.tree
    tree.deliver(on: queue) {
      // Stepped by a manual executor in the middle of a step, it is sent again.
      guard tree.executor.canWait(for: tree) else { return self.deliver(on: queue, work) }
      work()
    }
  }
}

extension NewStore {
  /// Gives a root to the monitors that follow it, and has them take part in its steps.
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
  /// - Returns: `false` if the owner has gone.
  package func dispatchAwaited(_ action: Action, didRun: @escaping @Sendable (_ isReduced: Bool) -> Void) -> Bool {
    asStore.sink.submit(.awaited(action, AwaitedStep(didRun: didRun) {}))
  }
}
