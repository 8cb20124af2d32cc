/// A path to fields in the stored form of a value: the names of fields, separated by dots, and `*` for each element.
///
/// ```swift
/// "title"                  // a field
/// "owner.name"             // a field of a field
/// "people.*.name"          // a field of each element of an array, value of a dictionary, or record of a table
/// "add._0.title"           // a field of the first value of the enum case `add`
/// ["sizes", "14.5", .each] // keys with dots in them, or a key "*"
/// ```
public struct StoredPath: Hashable, Sendable {
  /// One step of a path.
  public enum Step: Hashable, Sendable, ExpressibleByStringLiteral {
    /// A step to a field with a name.
    case key(String)

    /// A step to each element of an array, each value of a dictionary, or each record of a table.
    case each

    /// Makes the step to a field.
    ///
    /// - Parameter value: The name of the field. Dots are part of the name.
    public init(stringLiteral value: String) {
      self = .key(value)
    }
  }

  /// The steps, from the outside in. An empty path is the value itself.
  public let steps: [Step]

  /// Makes a path from steps.
  ///
  /// - Parameter steps: The steps, from the outside in.
  public init(_ steps: [Step]) {
    self.steps = steps
  }

  /// Makes a path from text.
  ///
  /// - Parameter text: The names of fields, separated by dots, and `*` for each element.
  public init(_ text: String) {
    steps = text.split(separator: ".").map { $0 == "*" ? .each : .key(String($0)) }
  }
}

extension StoredPath: ExpressibleByStringLiteral {
  /// Makes a path from text.
  ///
  /// - Parameter value: The names of fields, separated by dots, and `*` for each element.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension StoredPath: ExpressibleByArrayLiteral {
  /// Makes a path from steps.
  ///
  /// - Parameter elements: The steps, from the outside in.
  public init(arrayLiteral elements: Step...) {
    self.init(elements)
  }
}

extension StoredPath: CustomStringConvertible {
  /// The path as text.
  public var description: String {
    steps.map { if case .key(let name) = $0 { name } else { "*" } }.joined(separator: ".")
  }
}
