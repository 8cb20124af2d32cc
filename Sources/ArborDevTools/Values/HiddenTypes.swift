/// The types whose values are redacted wherever they stand.
///
/// - A subclass of such a class is one of them too, and so is what conforms to such a protocol.
struct HiddenTypes: Sendable {
  /// The text in the place of what is redacted.
  static let text = "‹redacted›"

  private struct Rule: Sendable {
    let hasValue: @Sendable (Any) -> Bool
  }

  private var rules: [Rule] = []

  init() {}

  init(_ types: [Any.Type]) {
    for type in types { insert(type) }
  }

  var isEmpty: Bool { rules.isEmpty }

  /// Adds a type.
  mutating func insert<Value>(_ type: Value.Type) {
    rules.append(Rule { $0 is Value })
  }

  /// `true` if a value is of one of the types. The same for all values of a type.
  func contain(_ value: Any) -> Bool {
    // The value in an optional is found when the optional is looked into.
    !rules.isEmpty && !(value is any OptionalValue) && rules.contains { $0.hasValue(value) }
  }
}

/// An optional of any type: a cast of one looks inside.
protocol OptionalValue {}

extension Optional: OptionalValue {}
