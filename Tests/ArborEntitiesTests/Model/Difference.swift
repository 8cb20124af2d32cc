/// A difference between a table and its model.
struct Difference: Error, CustomStringConvertible {
  let description: String

  /// Throws a difference unless a condition holds.
  static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws(Difference) {
    guard condition else { throw Difference(description: description()) }
  }
}
