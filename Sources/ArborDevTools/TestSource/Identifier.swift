/// Names of a program as they are written, with backticks where they need them.
enum Identifier {
  /// The name behind a dot.
  static func member(_ name: String) -> String {
    let name = spoken(name)
    return isPlain(name) && !["init", "self", "Type", "Protocol"].contains(name) ? name : "`\(name)`"
  }

  /// The name before a colon.
  static func label(_ name: String) -> String {
    let name = spoken(name)
    return isPlain(name) && !["inout", "var", "let"].contains(name) ? name : "`\(name)`"
  }

  /// A name as the program has it: mirrors show one that is no word with backticks, and other blanks.
  private static func spoken(_ name: String) -> String {
    name.hasPrefix("`") ? String(name.dropFirst().dropLast()).replacing("\u{A0}", with: " ") : name
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.first, !first.isNumber else { return false }
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
