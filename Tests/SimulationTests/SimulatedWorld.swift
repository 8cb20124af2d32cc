/// A world of stores on which a schedule is played: the engine, or the model of what it promises.
protocol SimulatedWorld: AnyObject {
  /// Does one operation, from outside any callback.
  ///
  /// - Parameter number: That of the operation in its schedule.
  func perform(_ operation: Operation, number: Int)

  /// What has happened since that was last forgotten, in order.
  var occurrences: [Occurrence] { get set }

  /// What waits for the executor, in order of arrival.
  var waiting: [Label] { get }

  /// How many entries wait in the mailboxes of all trees.
  var entries: Int { get }

  /// A digest of what is in memory still: nodes, closures, objects in states.
  var alive: UInt64 { get }
}

/// What something is that waits for a simulated executor.
enum Label: Equatable, Sendable {
  case mailbox(tree: Int)
  case delivery(queue: Int)
  case timer
  case thread
  case part
}

extension UInt64 {
  /// Something with a number has come to memory, or has left it.
  mutating func toggle(_ number: Int) {
    self ^= Digest.mix(0, UInt64(number))
  }
}
