/// A change by an action, in addition to the counts.
enum StressChange: Sendable {
  case none
  case part
  case element
  case work(Int, WorkVerb)

  /// Puts another token into the state, and releases the previous one.
  case token(StressToken)
}
