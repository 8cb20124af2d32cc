internal import Arbor
internal import ArborDiff

/// Decides if the actual values equal the ones that a test expects.
///
/// - The verdict is that of `==`, custom or not, of the state, the action or the activity as a whole.
/// - Only ``Arbor/Stamped`` values are compared differently than in a program. They are equal if their content is equal
///   by its own `==` or, if it has none, if all its parts are equal. A stamp says that a value may have changed, not
///   that it has. Values that were decoded, or changed in the same way by a reducer and by a test, have different
///   stamps. Tables compare their records, and use stamps only to save time.
/// - Custom mirrors and descriptions don't affect the verdict. They are used to show the differences after the verdict
///   is known.
enum Verdict {
  static func areEqual<Value: Equatable>(_ expected: Value, _ happened: Value) -> Bool {
    expected == happened || seeingThroughStamps { expected == happened }
  }

  /// The differences, for a reader. They include differences that no mirror shows, as far as they can be found.
  static func difference<Value>(from expected: Value, to happened: Value) -> StateDiff {
    seeingThroughStamps { StateDiff(from: expected, to: happened, limits: StateDiffLimits(seesHidden: true)) }
  }

  private static func seeingThroughStamps<Result>(_ body: () -> Result) -> Result {
    StampedContents.compared(by: ValueEquality.areEqual, body)
  }
}
