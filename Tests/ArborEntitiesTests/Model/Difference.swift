/// A way in which a table differs from its model.
struct Difference: Error, CustomStringConvertible {
  let description: String

  /// Throws one unless a condition holds.
  static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws(Difference) {
    guard condition else { throw Difference(description: description()) }
  }
}
