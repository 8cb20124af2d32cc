/// The closure by which an action is received whose type has no `==`.
enum TestPredicate {
  /// A predicate that holds of the same case, or of a value that is no enum, always.
  static func text(of action: Any) -> String {
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum else { return "{ _ in true }" }
    if let name = mirror.children.first?.label { return predicate(name) }
    let describesItself = action is any CustomStringConvertible || action is any CustomDebugStringConvertible
    return describesItself ? "{ _ in true }" : predicate(String(describing: action))
  }

  private static func predicate(_ name: String) -> String {
    "{ if case .\(Identifier.member(name)) = $0 { true } else { false } }"
  }
}
