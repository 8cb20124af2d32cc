internal import Arbor
internal import ArborDiff

/// Tells whether what has happened is what a test expects.
///
/// - The verdict is that of `==`, whoever wrote it: of the state, the action or the activity as a whole.
/// - Only ``Arbor/Stamped`` values answer otherwise than they do in a program: equal if what they hold is, by its own `==`, or where
///   there is none if all that it is made of is. A stamp says that a value may have changed, not that it has: what was decoded, or
///   changed in the same way by a reducer and by a test, has other stamps. Tables compare their records, and look at stamps only to
///   save time.
/// - Mirrors and descriptions that a type makes itself have no say. They serve to tell what differs once the verdict is known.
enum Verdict {
  static func areEqual<Value: Equatable>(_ expected: Value, _ happened: Value) -> Bool {
    expected == happened || seeingThroughStamps { expected == happened }
  }

  /// The differences, for a reader; also those that no mirror shows, as far as they can be found.
  static func difference<Value>(from expected: Value, to happened: Value) -> StateDiff {
    seeingThroughStamps { StateDiff(from: expected, to: happened, limits: StateDiffLimits(seesHidden: true)) }
  }

  private static func seeingThroughStamps<Result>(_ body: () -> Result) -> Result {
    StampedContents.compared(by: ValueEquality.areEqual, body)
  }
}
