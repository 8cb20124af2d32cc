/// A type as it is declared.
enum DeclaredType<Declared> {
  /// `true` if it is the type of a value itself, and not that of a protocol or a superclass.
  static func isThat(of value: Declared) -> Bool { type(of: value as Any) == Declared.self }
}

extension Mirror {
  /// `true` if a child is declared with the type of its value: its box has the type of the declaration.
  static func isDeclared(asTypeOf value: Any) -> Bool {
    func isDeclared<Declared>(_ value: Declared) -> Bool { DeclaredType.isThat(of: value) }
    return _openExistential(value, do: isDeclared)
  }
}
