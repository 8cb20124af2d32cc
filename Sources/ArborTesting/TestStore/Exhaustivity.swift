/// The extent to which a test must account for what a store does.
public enum Exhaustivity: Sendable, Hashable {
  /// All of it: each change of the state, each action and activity, and each effect.
  case on

  /// The extent to which a test asserts.
  ///
  /// - A closure asserts what it sets, and nothing else. It is given the state after the action: set values, and change them by
  ///   no difference (`count += 1`), unless nothing else has changed.
  /// - Actions that the test does not ask for are received in their turn, and effects that run at the end are cancelled.
  /// - Parameter showSkipped: `true` if what was not asserted is told, as a warning.
  case off(showSkipped: Bool)

  /// The part alone that a test asserts; nothing is told of all else.
  public static var off: Exhaustivity { .off(showSkipped: false) }

  var isOn: Bool { self == .on }
  var showsSkipped: Bool { self == .off(showSkipped: true) }
}
