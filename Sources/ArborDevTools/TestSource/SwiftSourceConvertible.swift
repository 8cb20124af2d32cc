/// A value that says by itself how it is written as Swift.
///
/// ```swift
/// extension Money: SwiftSourceConvertible {
///   var swiftSource: String { "Money(cents: \(cents))" }
/// }
/// ```
///
/// - For what a mirror does not tell: values with private storage, without an accessible memberwise initializer, with a
///   mirror or a description of their own, or objects.
/// - A test that is made of a recording assigns such a value as a whole, and never a part of it.
public protocol SwiftSourceConvertible {
  /// An expression that makes an equal value: one line that compiles wherever a value of the type is expected, and
  /// names the type where nothing else does.
  var swiftSource: String { get }
}
