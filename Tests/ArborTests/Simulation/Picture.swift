/// The state that observers of a simulation see: the parts of the nodes from the root down.
struct Picture: Sendable, CustomStringConvertible {
  /// A node's own state. It tells any two sequences of actions apart.
  struct Part: Sendable, CustomStringConvertible {
    var count = 0
    var digest: UInt64 = 0
    var last: SimulatedAction?

    /// The reducer of every node.
    mutating func reduce(_ action: SimulatedAction) {
      count += 1
      for number in [action.number] + action.path {
        digest = (digest &+ UInt64(number) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        digest ^= digest >> 29
      }
      last = action
    }

    var description: String { "\(count):\(digest % 10_000)" }
  }

  var parts: [Part]

  var description: String { parts.map(\.description).joined(separator: "/") }
}
