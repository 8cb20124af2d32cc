/// An action of the stress test: who sent it, as which one, and through which nodes.
struct StressAction: Sendable {
  enum Kind: Sendable {
    /// Sent to a node that lives as long as the test.
    case lasting

    /// Sent to the sender's own child store of this generation.
    case temporary(generation: Int)

    /// Sent to a child store that another thread may be releasing: perhaps refused.
    case shared
  }

  let thread: Int
  let sequence: Int

  /// How many of the lasting child stores it passes on its way to the root.
  let depth: Int
  var kind = Kind.lasting

  /// Whether it is alone in its step, or the last of its batch.
  var closesStep = true
}
