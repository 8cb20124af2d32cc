import Arbor
import ArborPersistence
import ArborSync
import TestSupport

/// The outbox on a client's disk, for all lives of the client.
final class SimulatedDisk {
  /// The initial progress; nil if there is no outbox.
  fileprivate(set) var beginning: OutboxProgress?

  /// The changes that survive any crash.
  fileprivate(set) var changes: [OutboxChange] = []

  init() {}

  init(copying other: SimulatedDisk) {
    (beginning, changes) = (other.beginning, other.changes)
  }
}

/// The outbox of one life of a client. Used on the thread that steps the executor.
final class SimulatedOutbox: Outbox, @unchecked Sendable {
  private let disk: SimulatedDisk

  /// Lets time pass, because a disk is slow.
  private let delay: @Sendable () async -> Void

  /// Returns `true` if the next write should fail.
  private let fails: @Sendable () -> Bool

  /// The changes that aren't on the disk yet.
  private var pending: [OutboxChange] = []
  private var waitForStore: () -> Void = {}
  private var isDead = false

  init(
    _ disk: SimulatedDisk,
    delay: @escaping @Sendable () async -> Void,
    fails: @escaping @Sendable () -> Bool
  ) {
    self.disk = disk
    self.delay = delay
    self.fails = fails
  }

  func open<State: Codable & Sendable, Action>(
    _ fresh: Agreement<State>,
    _ feature: Feature<Agreement<State>, AgreementAction<State>>,
    _ form: SharedForm<State, Action>
  ) async throws(StorageError) -> (Agreement<State>, [any StoreMonitor], LoadReport) {
    var agreement = fresh
    if let beginning = disk.beginning { agreement.progress = beginning } else { disk.beginning = fresh.progress }
    let reduce = feature.makeReducerBesideTree()
    for change in disk.changes { reduce(&agreement, .kept(change)) }
    let monitor = ChangeMonitor<State> { [weak self] in self?.add($0) }
    waitForStore = { monitor.wait() }
    return (agreement, [monitor], LoadReport())
  }

  private func add(_ change: OutboxChange) {
    if !isDead { pending.append(change) }
  }

  func flush() async throws(StorageError) {
    waitForStore()
    let count = pending.count
    await delay()
    guard !isDead, !fails() else { throw .other("the disk fails") }
    // More changes may have been added in the meantime, and other calls may have flushed.
    write(min(count, pending.count))
  }

  private func write(_ count: Int) {
    disk.changes += pending.prefix(count)
    pending.removeFirst(count)
  }

  /// Ends the life, and writes a random part of the pending changes to the disk.
  func die(using random: inout SplitMix64) {
    write(Int.random(in: 0...pending.count, using: &random))
    isDead = true
  }
}

/// A monitor of the changes that an outbox stores.
private final class ChangeMonitor<Known: Codable & Sendable>: RootFollower, @unchecked Sendable {
  // Sendable because the closure is set once, before the store is used.
  let timingInterval = 0
  private let receive: @Sendable (OutboxChange) -> Void
  private var waitForStore: () -> Void = {}

  init(_ receive: @escaping @Sendable (OutboxChange) -> Void) {
    self.receive = receive
  }

  func follow<State: Sendable>(_ root: FollowedRoot<State>) {
    // Weak, because the tree has the monitor.
    waitForStore = { [weak root] in root?.wait {} }
  }

  func actionReceiver<Action: Sendable>(of type: Action.Type) -> (@Sendable (Action) -> Void)? {
    let receive: @Sendable (AgreementAction<Known>) -> Void = { [receive] action in
      if let change = action.change { receive(change) }
    }
    return receive as? @Sendable (Action) -> Void
  }

  /// Returns once the changes that were accepted before have arrived.
  func wait() {
    waitForStore()
  }

  func stepReceiver() -> @Sendable () -> Void { {} }

  func monitor(_ record: borrowing ActionRecord) {}

  func didBegin() {}

  func willLeavePresent() {}

  func didReturnToPresent(withNewStates: Bool) {}
}
