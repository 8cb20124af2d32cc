/// When to deliver the latest state: once for any number of changes, and not before the time has come.
struct Pace: Sendable {
  /// Whether deliveries keep an interval.
  let isTimed: Bool

  /// A delivery is on its way.
  private(set) var isPending = false

  /// The interval after a delivery runs.
  private var isResting = false

  /// There were changes while it ran.
  private var hasMissed = false

  init(isTimed: Bool) {
    self.isTimed = isTimed
  }

  /// There is a new state.
  ///
  /// - Returns: Whether to send a delivery on its way.
  mutating func change() -> Bool {
    guard !isPending else { return false }
    guard !isResting else {
      hasMissed = true
      return false
    }
    isPending = true
    return true
  }

  /// The delivery has arrived.
  ///
  /// - Returns: Whether there is something to deliver: no other delivery came first.
  mutating func arrive() -> Bool {
    guard isPending else { return false }
    isPending = false
    isResting = isTimed
    return true
  }

  /// The interval has ended.
  ///
  /// - Returns: Whether to send a delivery on its way.
  mutating func rest() -> Bool {
    isResting = false
    guard hasMissed else { return false }
    hasMissed = false
    isPending = true
    return true
  }
}
