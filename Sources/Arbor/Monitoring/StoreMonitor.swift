package import Dispatch

/// An observer of everything that happens in a tree of stores: actions with their times, stores, observers, tasks,
/// activities.
///
/// ```swift
/// final class Journal: StoreMonitor {
///   func monitor(_ record: borrowing ActionRecord) {
///     if let action = record.action.value(as: AppAction.self) { print(action, record.outcome) }
///   }
/// }
/// let factory = StoreFactory(
///   initialState: AppState(),
///   settings: TreeSettings(monitors: [Journal()]),
///   reducer: appReducer
/// )
/// ```
///
/// - **Order.** A monitor is called on the tree's queue: for an action after its step, for any other event in its turn
///   among the actions. Several monitors are called in the order of their list.
/// - **Cost.** The next action waits until the monitor returns: do slow work elsewhere. A tree without monitors pays
///   nothing.
/// - A monitor may dispatch actions, which are reduced after everything already waiting. Waiting for a store of the
///   same tree stops the program.
/// - A monitor may be used for several trees, which may call it at the same time.
/// - A monitor may keep stores of the tree: the tree releases its monitors once its root and its tasks are gone.
/// - With a manual executor, an event that waits among the actions is an entry of its own to step through.
public protocol StoreMonitor: AnyObject, Sendable {
  /// The sampling interval of times: 1 measures every action, 16 one action in sixteen, 0 none. Read once, when the
  /// tree is made; of several monitors the shortest interval applies.
  var timingInterval: Int { get }

  /// `true` if the monitor wants to know what has caused each action and each task. Read once, when the tree is made.
  ///
  /// - It is found where the action is dispatched, which takes longer then.
  var wantsCauses: Bool { get }

  /// Returns `true` if the states before and after an action are wanted. Called for each action, before its
  /// interceptors.
  ///
  /// - Keeping the state before the action makes the reducers copy what they change.
  /// - Parameter action: The action as it was dispatched, borrowed for the duration of the call.
  func wantsStates(of action: borrowing MonitoredAction) -> Bool

  /// Receives the record of an action, after its step.
  ///
  /// - Parameter record: The record, borrowed for the duration of the call.
  func monitor(_ record: borrowing ActionRecord)

  /// Receives any other event.
  ///
  /// - Parameters:
  ///   - event: The event of a store, an observer or a task, or an activity.
  ///   - time: The time at which it happened, since the tree was made, on the tree's clock.
  func monitor(_ event: StoreEvent, at time: Duration)
}

extension StoreMonitor {
  /// Measures every action.
  public var timingInterval: Int { 1 }

  /// Wants no causes.
  public var wantsCauses: Bool { false }

  /// Wants no states.
  ///
  /// - Parameter action: The action; the answer is the same for any.
  public func wantsStates(of action: borrowing MonitoredAction) -> Bool { false }

  /// Ignores the event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - time: The time of the event.
  public func monitor(_ event: StoreEvent, at time: Duration) {}
}

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
@usableFromInline
package final class FollowedRoot<State: Sendable>: Sendable {
  private let address: NodeAddress
  private let box: StateBox<State>

  /// The number of monitors that follow the root.
  fileprivate let followers = AtomicNumber(0)

  /// `true` if followers are told of steps.
  @usableFromInline let wantsSteps = AtomicFlag(true)

  @usableFromInline
  init(at address: NodeAddress, _ box: StateBox<State>) {
    self.address = address
    self.box = box
  }

  /// Says whether the follower is to be told of steps. From any thread. Does nothing if there are several.
  package func wantSteps(_ isWanted: Bool) {
    if followers.loadRelaxed() == 1 { wantsSteps.store(isWanted) }
  }

  /// The identity of the root's store.
  package var store: MonitoredStore? { address.monitored }

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

/// The monitors of a tree that follow its root.
@usableFromInline
struct RootFollowers: Sendable {
  private let followers: [any RootFollower]

  /// Tells all of them of a step.
  @usableFromInline let didStep: @Sendable () -> Void

  /// Gives the root to those monitors that follow it; nil if there are none.
  @usableFromInline
  init?<State: Sendable>(_ monitors: [any StoreMonitor], of root: FollowedRoot<State>) {
    followers = monitors.compactMap { $0 as? any RootFollower }
    guard let first = followers.first else { return nil }
    root.followers.add(followers.count)
    for follower in followers { follower.follow(root) }
    didStep = followers.dropFirst().reduce(first.stepReceiver()) { both($0, $1.stepReceiver())! }
  }

  /// Tells all of them that the root has begun.
  @usableFromInline
  func didBegin() {
    for follower in followers { follower.didBegin() }
  }

  /// A function that passes an action that was reduced to those who want it; nil if none does.
  @usableFromInline
  func receiver<Action: Sendable>(of type: Action.Type) -> (@Sendable (Action) -> Void)? {
    let receivers = followers.compactMap { $0.actionReceiver(of: type) }
    guard receivers.count > 1 else { return receivers.first }
    return { action in for receive in receivers { receive(action) } }
  }

  /// The function that takes the place of the root's reducer; nil if no follower wants that.
  @usableFromInline
  func reducer<Action: Sendable>(
    around reduce: @escaping @Sendable (Action) -> Bool
  ) -> (@Sendable (Action) -> Bool)? {
    followers.reduce(nil) { around, follower in follower.reducer(around: around ?? reduce) ?? around }
  }
}

extension StoreProtocol {
  /// Sends an action as one for whose step somebody waits: a tree that shows another moment returns to the present.
  ///
  /// - Parameter didRun: Called on the tree's queue, in the turn of the action, with `true` if it was reduced.
  /// - Returns: `false` if the owner has gone.
  package func dispatchAwaited(_ action: Action, didRun: @escaping @Sendable (_ isReduced: Bool) -> Void) -> Bool {
    asStore.sink.submit(.awaited(action, AwaitedStep(didRun: didRun) {}))
  }
}
