/// A value that no tool of the library shows.
///
/// ```swift
/// struct Card: Codable, Equatable, Confidential {
///   var number: String
/// }
/// ```
///
/// - Wherever such a value is, at any depth of a state, an action, a task's key or an error, `‹redacted›` stands in its
///   place: in logs, traces, recordings, the inspector's page, failures of a test store, and the line about an effect
///   that failed. In a recording's file that is `{"$arbor":"redacted"}`. A generated test cannot have one.
/// - A dictionary with such keys is redacted whole in a recording.
/// - A class makes its subclasses confidential, and a protocol that inherits from this one all that conforms to it.
/// - Give a secret a type of its own: a value that is copied out of it, such as its text, is shown like any other, and
///   so is a description in which your program has put it.
/// - It changes nothing for storages and shared stores, which keep the value.
public protocol Confidential {}

/// A value whose mirror does not show its content, so that a search for confidential parts asks the value itself.
package protocol MirroredOtherwise {
  /// The content that the mirror does not show.
  var unmirroredContent: Any { get }
}

/// The texts of values that may have confidential ones inside.
package enum Confidentiality {
  /// The text in the place of a confidential value.
  package static let text = "‹redacted›"

  /// `true` if a value is confidential. An optional isn't: the value in it is found when the optional is looked into.
  package static func hides(_ value: Any) -> Bool {
    if type(of: value) == AnyHashable.self { return hides((value as! AnyHashable).base) }
    return value is any Confidential && Mirror(reflecting: value).displayStyle != .optional
  }

  /// `true` if a value is confidential or has a confidential part, or has too many parts to tell.
  ///
  /// - Parameter limit: The greatest number of parts that are looked at.
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
    // Most values are of these types. They have no parts, and a mirror costs more than their text. A cast would also take
    // an object of a class that bridges to one of them, which may have parts.
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

  /// The description of a value; of one with a confidential part, its type and the mark.
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
