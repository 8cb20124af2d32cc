/// The plan of a world: its operations, and the reactions to each action.
struct WorldPlan: Sendable {
  /// An operation with its original number in the schedule, which it keeps when the schedule is shortened.
  struct Move: Sendable {
    let number: Int
    var operation: Operation

    init(_ number: Int, _ operation: Operation) {
      self.number = number
      self.operation = operation
    }
  }

  /// The observers that exist from the start. Their numbers follow those of the trees.
  static let observers = 10..<18

  let seed: UInt64
  var moves: [Move]
}

extension Int {
  /// `true` if the observer with this number has a completion handler.
  var isCompletingObserver: Bool { !isMultiple(of: 2) }
}
