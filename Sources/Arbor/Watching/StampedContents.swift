internal import Synchronization

/// Compares ``Stamped`` values by what they hold while a body runs, and not by their stamps alone: for the verdicts of tests.
///
/// - So `==` decides of a state, whoever wrote it, also where the state was decoded or changed twice in the same way.
/// - It holds on the thread that runs the body. Everywhere else, and at any other time, stamps decide: the cost is then that of
///   reading a number, where they differ.
/// - What stamps are hashed to is not changed: in sets and as keys they stay what they are.
@usableFromInline
package enum StampedContents {
  @TaskLocal private static var areEqual: (@Sendable (Any, Any) -> Bool)?

  /// How many bodies run at this moment.
  private static let running = Atomic<Int>(0)

  /// Runs a body.
  ///
  /// - Parameter areEqual: Tells whether two values are equal that have different stamps.
  package static func compared<Result>(
    by areEqual: @escaping @Sendable (_ left: Any, _ right: Any) -> Bool,
    _ body: () throws -> Result
  ) rethrows -> Result {
    running.add(1, ordering: .relaxed)
    defer { running.subtract(1, ordering: .relaxed) }
    return try $areEqual.withValue(areEqual, operation: body)
  }

  /// `true` while a body runs anywhere.
  @usableFromInline
  static var isCompared: Bool { running.load(ordering: .relaxed) > 0 }

  /// `true` if two values that have different stamps count as equal here and now.
  static func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    areEqual?(left, right) ?? false
  }
}
