/// The extent to which a test must account for everything that a store does.
public enum Exhaustivity: Sendable, Hashable {
  /// The test must account for everything: each change to the state, each action and activity, and each effect.
  case on

  /// The test accounts only for the changes, actions and activities that it asserts.
  ///
  /// - A closure asserts only the parts that it sets. It receives the state after the action, so assign absolute
  ///   values. A relative change (`count += 1`) works only if nothing else has changed.
  /// - Actions that the test does not mention are received in their turn, and effects that are running at the end are
  ///   canceled.
  /// - Parameter showSkipped: `true` to report everything that was not asserted as warnings.
  case off(showSkipped: Bool)

  /// The test accounts only for what it asserts, and nothing else is reported.
  public static var off: Exhaustivity { .off(showSkipped: false) }

  var isOn: Bool { self == .on }
  var showsSkipped: Bool { self == .off(showSkipped: true) }
}
