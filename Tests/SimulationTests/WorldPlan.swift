/// All that makes a world: what is done with it, and what comes of each action.
struct WorldPlan: Sendable {
  /// An operation with its number in the schedule as it was drawn, which it keeps when that is shortened.
  struct Move: Sendable {
    let number: Int
    var operation: Operation

    init(_ number: Int, _ operation: Operation) {
      self.number = number
      self.operation = operation
    }
  }

  /// The observers that are there from the start; their numbers begin behind those of the trees.
  static let observers = 10..<18

  let seed: UInt64
  var moves: [Move]
}

extension Int {
  /// Whether the observer of this number is of the form with a completion handler.
  var isCompletingObserver: Bool { !isMultiple(of: 2) }
}
