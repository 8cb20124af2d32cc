/// A change that an action makes beside being counted.
enum StressChange: Sendable {
  case none
  case part
  case element
  case work(Int, WorkVerb)

  /// Puts another token in the state, and lets go of the one before.
  case token(StressToken)
}
