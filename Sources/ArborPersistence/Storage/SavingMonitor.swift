public import Arbor

/// A monitor that saves parts of a store's state when they have changed, or journals the actions that change them.
///
/// - Make it with ``Storage/saving(_:debounce:atLatestAfter:)`` or ``Storage/saving(_:_:groupedFor:)``.
/// - **When.** It saves when there has been no step for some time, and no later than a set time after the first unsaved
///   step. It saves at once on ``Storage/flush()``, when the store's owner is released, and when the program enters the
///   background.
/// - **Cost.** A step costs at most one reading of the clock, or one copy of its action. When the state is saved, it is
///   copied between two steps. Encoding and writing are done on a queue of the storage.
/// - It is for one factory: a second one stops the program.
public final class SavingMonitor<State: Sendable>: StoreMonitor {
  let storage: Storage
  let parts: any MonitoredParts<State>
  private let delay: SaveDelay

  private struct Content: Sendable {
    var root: FollowedRoot<State>?
    var timer: SaveTimer?

    /// The present state, while another moment is shown.
    var present: State?

    /// `true` once the monitor has, or had, a store.
    var isTaken = false

    /// The number of its receiver of the storage's problems; 0 before the store has begun.
    var receiver: UInt64 = 0
  }

  private let content = Protected(Content())

  init(_ storage: Storage, _ parts: any MonitoredParts<State>, _ delay: SaveDelay) {
    self.storage = storage
    self.parts = parts
    self.delay = delay
  }

  /// Ignores the record of an action, because the monitor follows the state.
  ///
  /// - Parameter record: The record of an action, which isn't read.
  public func monitor(_ record: borrowing ActionRecord) {}

  /// Saves the last state when the store's owner is gone.
  ///
  /// - Parameters:
  ///   - event: The event. All events except the end of the monitor's own store are ignored.
  ///   - time: The time of the event, which isn't read.
  public func monitor(_ event: StoreEvent, at time: Duration) {
    guard case .storeGone(let store) = event else { return }
    guard let root = content.withLock({ $0.root }), root.store == store else { return }
    parts.end(with: present(of: root))
    let content = content.withLock { content in
      defer { (content.root, content.timer) = (nil, nil) }
      return content
    }
    storage.runLater { [parts, problems = storage.problemBroadcast] core in
      // The errors are reported as problems.
      try? core.end(parts)
      problems.remove(content.receiver)
    }
  }

  /// Saves after a while. Called on the tree's queue.
  func saveSoon() {
    content.withLock { $0.timer }?.change()
  }

  // MARK: On the storage's queue

  /// Tries to save again after a while.
  func retry() {
    content.withLock { $0.timer }?.fail()
  }

  /// Calls a body on the tree's queue, after everything that the store has accepted. If the owner is gone, returns
  /// `false` without calling the body.
  func wait(_ body: (FollowedRoot<State>) -> Void) -> Bool {
    let (root, timer) = content.withLock { ($0.root, $0.timer) }
    guard let root else { return false }
    root.wait {
      timer?.begin()
      body(root)
    }
    return true
  }

  /// Returns once everything that the store has accepted has had its turn.
  func settle() {
    content.withLock { $0.root }?.wait {}
  }

  /// Returns the present state. Called on the tree's queue.
  func present(of root: FollowedRoot<State>) -> State { content.withLock { $0.present } ?? root.state }

  /// The number of the running work; nil if there is no store. Used on the tree's queue.
  var turn: UInt64? { content.withLock { $0.root }?.turn }

  /// Decides in an interceptor that the running action is reduced; see ``FollowedRoot/decideAction()``.
  func decideAction() -> Bool { content.withLock { $0.root }?.decideAction() ?? true }

  /// The present state; nil if there is no store. Used on the tree's queue.
  var presentOnTree: State? { content.withLock { $0.root }.map(present) }
}

extension SavingMonitor: RootFollower {
  package func follow<Root: Sendable>(_ root: FollowedRoot<Root>) {
    guard let root = root as? FollowedRoot<State> else { Misuse.savingAnotherState.stop(about: "\(Root.self)") }
    let timer = SaveTimer(delay, on: root, needsEachStep: parts.isJournaled) { [weak root, storage, parts] in
      root?.deliver(on: storage.queue) {
        // The errors are reported as problems.
        storage.runNow { core in try? core.save(parts) }
      }
    }
    let isFirst = content.withLock { content in
      guard !content.isTaken else { return false }
      (content.root, content.timer, content.isTaken) = (root, timer, true)
      return true
    }
    guard isFirst else { Misuse.savingTwice.stop() }
    parts.begin(self)
    storage.runLater { [parts] core in core.add(parts) }
  }

  package func didBegin() {
    guard let root = content.withLock({ $0.root }) else { return }
    let receiver = storage.problemBroadcast.add { [weak root] problem in root?.emit(problem) }
    content.withLock { $0.receiver = receiver }
  }

  package func actionReceiver<Action: Sendable>(of type: Action.Type) -> (@Sendable (Action) -> Void)? {
    parts.actionReceiver(of: type)
  }

  package func reducer<Action: Sendable>(
    around reduce: @escaping @Sendable (Action) -> Bool
  ) -> (@Sendable (Action) -> Bool)? {
    parts.reducer(around: reduce)
  }

  package func stepReceiver() -> @Sendable () -> Void {
    guard let timer = content.withLock({ $0.timer }) else { return {} }
    return parts.stepReceiver { timer.change() }
  }

  package func willLeavePresent() {
    guard let state = content.withLock({ $0.root })?.state else { return }
    content.withLock { $0.present = state }
  }

  package func didReturnToPresent(withNewStates toNewStates: Bool) {
    let (timer, state) = content.withLock { ($0.timer, $0.present.take()) }
    withExtendedLifetime(state) {}
    guard toNewStates else { return }
    parts.didTravel()
    timer?.change()
  }
}

/// A source of the parts of a monitor's state.
protocol MonitoredParts<State>: PartsSource {
  associatedtype State: Sendable

  /// Sets the monitor of the state. Called once, before the state is saved.
  func begin(_ monitor: SavingMonitor<State>)

  /// Sets the last state, before the monitor is released. Called on any thread.
  func end(with state: State)

  /// Returns a function that receives each reduced action on the tree's queue; nil if none is needed.
  func actionReceiver<Action: Sendable>(of type: Action.Type) -> (@Sendable (Action) -> Void)?

  /// Returns a function that replaces the root's reducer and calls it, on the tree's queue; nil if none is needed.
  func reducer<Action: Sendable>(
    around reduce: @escaping @Sendable (Action) -> Bool
  ) -> (@Sendable (Action) -> Bool)?

  /// Writes an action before it is reduced. Returns `false` if it couldn't be written. Called on the tree's queue.
  func writeAhead<Action: Sendable>(_ action: Action, with storage: Storage) -> Bool

  /// Removes and returns the refusal of the current action; nil if it wasn't refused. Called on the tree's queue.
  func takeRefusal() -> StorageError?

  /// Returns a function that must be called after each step, on the tree's queue.
  ///
  /// - Parameter change: Called by that function if there is something to save.
  func stepReceiver(_ change: @escaping @Sendable () -> Void) -> @Sendable () -> Void

  /// Records that the state was replaced without an action. Called on the tree's queue.
  func didTravel()
}
