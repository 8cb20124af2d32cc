/// A value that none of the library's tools shows.
///
/// ```swift
/// struct Card: Codable, Equatable, Confidential {
///   var number: String
/// }
/// ```
///
/// - Instead of such a value, at any depth of a state, an action, a task's key or an error, tools show `‹redacted›`.
///   That applies to logs, traces, recordings, the inspector's page, failures of a test store, and the line about an
///   effect that failed. A recording's file contains `{"$arbor":"redacted"}`. A generated test can't contain such a
///   value.
/// - In a recording, a dictionary with such keys is redacted as a whole.
/// - If a class conforms, its subclasses are confidential, too. If a protocol inherits from this one, all types that
///   conform to it are confidential.
/// - Give a secret its own type. A value that you copy out of it, such as its text, is shown like any other, and so is
///   a description that your program makes from it.
/// - It doesn't affect storages and shared stores, which store the actual value.
public protocol Confidential {}

/// A value whose mirror doesn't show its content, so that a search for confidential parts reads the content from the
/// value itself.
package protocol MirroredOtherwise {
  /// The content that the mirror doesn't show.
  var unmirroredContent: Any { get }
}

/// The texts of values that may contain confidential ones.
package enum Confidentiality {
  /// The text that replaces a confidential value.
  package static let text = "‹redacted›"

  /// Returns `true` if a value is confidential. An optional isn't: the search finds the value in it when it visits the
  /// optional's parts.
  package static func hides(_ value: Any) -> Bool {
    if type(of: value) == AnyHashable.self { return hides((value as! AnyHashable).base) }
    return value is any Confidential && Mirror(reflecting: value).displayStyle != .optional
  }

  /// Returns `true` if a value is confidential or has a confidential part, or has too many parts to check.
  ///
  /// - Parameter limit: The maximum number of parts to check.
  package static func hidesPart(of value: Any, within limit: Int = 10_000) -> Bool {
    var left = limit
    return hidesPart(of: value, &left, depth: 0)
  }

  private static func hidesPart(of value: Any, _ left: inout Int, depth: Int) -> Bool {
    if value is any Confidential { return true }
    left -= 1
    guard left > 0, depth < 64 else { return true }
    if type(of: value) == AnyHashable.self {
      return hidesPart(of: (value as! AnyHashable).base, &left, depth: depth + 1)
    }
    // Most values are of these types. They have no parts, and a mirror costs more than their text. A cast would also
    // accept an object of a class that bridges to one of them, which may have parts.
    let type = type(of: value)
    if type == Int.self || type == String.self || type == Bool.self || type == Double.self { return false }
    if let value = value as? any MirroredOtherwise {
      return hidesPart(of: value.unmirroredContent, &left, depth: depth + 1)
    }
    let mirror = Mirror(reflecting: value)
    // A wrapper may have the mirror of its content.
    if mirror.subjectType is any Confidential.Type { return true }
    for level in sequence(first: mirror, next: \.superclassMirror) {
      for child in level.children where hidesPart(of: child.value, &left, depth: depth + 1) { return true }
    }
    return false
  }

  /// Returns the description of a value. If the value has a confidential part, returns its type and the mark.
  ///
  /// - Parameter describe: Describes a value without such a part.
  package static func description(
    of value: Any,
    by describe: (_ value: Any) -> String = { String(describing: $0) }
  ) -> String {
    if hides(value) { return text }
    return hidesPart(of: value) ? "\(type(of: value))(\(text))" : describe(value)
  }
}
