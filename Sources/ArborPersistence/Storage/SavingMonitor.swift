public import Arbor
internal import Dispatch

/// A monitor that saves parts of the state of a store when they have changed; made by ``Storage/saving(_:debounce:latest:)``.
///
/// - **When.** Once no step has come for a while, and at the latest a while after the first one; at once by
///   ``Storage/flush()``, when the store's owner is released, and when the program goes to the background.
/// - **Cost.** A step costs the reading of a time. The state is copied when it is saved, between two steps; encoding and
///   writing are done elsewhere.
public final class SavingMonitor<State: Sendable>: StoreMonitor {
  let storage: Storage
  let parts: any MonitoredParts<State>

  private struct Content: Sendable {
    var root: FollowedRoot<State>?
    var delay: SaveDelay

    /// The time since the store was made; nil before.
    var time: (@Sendable () -> Duration)?

    /// The state of the present, while another moment is shown.
    var present: State?

    /// The number by which it receives the storage's problems.
    var receiver: UInt64 = 0
  }

  private let content: Protected<Content>

  init(_ storage: Storage, _ parts: any MonitoredParts<State>, _ delay: SaveDelay) {
    self.storage = storage
    self.parts = parts
    content = Protected(Content(delay: delay))
  }

  /// Receives nothing: the monitor follows the state.
  public func monitor(_ record: borrowing ActionRecord) {}

  /// Saves the last state when the store's owner has gone.
  public func monitor(_ event: StoreEvent, at time: Duration) {
    guard case .storeGone(let store) = event else { return }
    let (root, receiver) = content.withLock { content in
      (content.root?.store == store ? content.root.take() : nil, content.receiver)
    }
    guard let root else { return }
    storage.runLater { [parts, problems = storage.problemStreams, state = root.state] core in
      parts.end(with: state)
      // The errors are told as problems.
      try? core.save(parts)
      problems.remove(receiver)
    }
  }

  // MARK: Timers

  private func setTimer(_ duration: @Sendable (inout SaveDelay, _ time: Duration) -> Duration?) {
    // Read outside the lock: the clock may be the user's.
    let (root, time) = content.withLock { ($0.root, $0.time) }
    guard let root, let now = time?() else { return }
    if let duration = content.withLock({ duration(&$0.delay, now) }) { setTimer(duration, on: root) }
  }

  private func setTimer(_ duration: Duration, on root: FollowedRoot<State>) {
    root.schedule(after: duration) { [weak self, weak root] in
      guard let self, let root, let now = content.withLock({ $0.time })?() else { return }
      switch content.withLock({ $0.delay.timerEnded(at: now) }) {
      case .save:
        root.deliver(on: storage.queue) { [storage, parts] in
          // The errors are told as problems.
          storage.runNow { core in try? core.save(parts) }
        }
      case .wait(let rest): setTimer(rest, on: root)
      case nil: break
      }
    }
  }

  /// Tries to save again after a while. On the storage's queue.
  func retry() {
    setTimer { delay, time in delay.fail(at: time) }
  }

  /// Waits until the store has reduced what it has accepted until now. On the storage's queue.
  func wait() {
    content.withLock { $0.root }?.wait {}
  }

  /// The state as it is now, of the present; nil if the store's owner has gone. On the storage's queue.
  ///
  /// - Parameter begin: Called on the tree's queue when the state is read.
  func currentState(at begin: () -> Void) -> State? {
    guard let root = content.withLock({ $0.root }) else { return nil }
    var state: State?
    root.wait {
      content.withLock { $0.delay.begin() }
      state = content.withLock { $0.present } ?? root.state
      begin()
    }
    return state
  }
}

extension SavingMonitor: RootFollower {
  package func follow<Root: Sendable>(_ root: FollowedRoot<Root>) {
    guard let root = root as? FollowedRoot<State> else { Misuse.savingAnotherState.stop(about: "\(Root.self)") }
    let time = root.stopwatch()
    let receiver = storage.problemStreams.add { [weak root] problem in root?.emit(problem) }
    let isFirst = content.withLock { content in
      guard content.time == nil else { return false }
      (content.root, content.time, content.receiver) = (root, time, receiver)
      return true
    }
    guard isFirst else { Misuse.savingTwice.stop() }
    parts.begin(self)
    storage.runLater { [parts] core in core.add(parts) }
  }

  package func actionReceiver<Action: Sendable>(of type: Action.Type) -> (@Sendable (Action) -> Void)? {
    parts.actionReceiver(of: type)
  }

  package func didStep() {
    if parts.didStep() { noteChange() }
  }

  private func noteChange() {
    setTimer { delay, time in delay.change(at: time) }
  }

  package func willTravel() {
    guard let state = content.withLock({ $0.root })?.state else { return }
    content.withLock { $0.present = state }
  }

  package func didTravel(toNewStates: Bool) {
    let state = content.withLock { $0.present.take() }
    withExtendedLifetime(state) {}
    if toNewStates, parts.didTravel() { noteChange() }
  }
}
