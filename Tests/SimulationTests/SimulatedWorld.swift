/// A world of stores for playing a schedule: the engine, or the model of its guarantees.
protocol SimulatedWorld: AnyObject {
  /// Performs one operation, outside any callback.
  ///
  /// - Parameter number: The number of the operation in its schedule.
  func perform(_ operation: Operation, number: Int)

  /// The events since they were last cleared, in order.
  var occurrences: [Occurrence] { get set }

  /// The work that waits for the executor, in order of arrival.
  var waiting: [Label] { get }

  /// The number of entries that wait in the mailboxes of all trees.
  var entries: Int { get }

  /// A digest of the objects still in memory: nodes, closures, objects in states.
  var alive: UInt64 { get }
}

/// The kind of work that waits for a simulated executor.
enum Label: Equatable, Sendable {
  case mailbox(tree: Int)
  case delivery(queue: Int)
  case timer
  case thread
  case part
}

extension UInt64 {
  /// Records that a numbered object was created or released.
  mutating func toggle(_ number: Int) {
    self ^= Digest.mix(0, UInt64(number))
  }
}
