import Arbor
import ArborSync
import ArborTesting
import TestSupport

/// A client of a simulated log, with several lives. Used on the thread that steps the executor.
final class SimulatedClient: @unchecked Sendable {
  let name: String
  var disk = SimulatedDisk()

  /// A copy of the disk, from which it may be restored.
  var backup: SimulatedDisk?
  var life: SimulatedLife?

  /// The number of lives that have begun.
  var lives = 0

  /// The ids of the actions that the disk may have lost.
  var forgotten: Set<Int> = []

  /// `true` once its disk is a copy of a disk in use, or the original of one.
  var hasCopy = false

  init(_ name: String) {
    self.name = name
  }
}

/// One life of a client, from its start to its end. Used on the thread that steps the executor.
final class SimulatedLife: @unchecked Sendable {
  let outbox: SimulatedOutbox
  let connection: SimulatedConnection

  /// The store; nil once the client was killed.
  var store: SharedStore<Counted, CountedAction>?
  var subscriptions: [StoreSubscription] = []

  /// The tasks that wait for the store, and keep it alive.
  var tasks: [Task<Void, Never>] = []

  /// The ids of the actions that were reduced.
  var shown: [Int] = []
  var isOver = false

  init(_ outbox: SimulatedOutbox, _ connection: SimulatedConnection) {
    self.outbox = outbox
    self.connection = connection
  }
}
