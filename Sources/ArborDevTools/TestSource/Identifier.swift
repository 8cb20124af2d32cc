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

  /// The name of a type that is declared in no other.
  static func type(_ name: String) -> String {
    keywords.contains(name) && !["Any", "Self"].contains(name) ? "`\(name)`" : name
  }

  /// The name of a function where it is declared.
  ///
  /// - Throws: ``SwiftSourceError`` for a name that no function can have, also in backticks.
  static func function(_ name: String) throws(SwiftSourceError) -> String {
    let place = "the name \(name.debugDescription)"
    guard !name.hasPrefix("$") || name == "$" else {
      throw SwiftSourceError(at: place, "names that begin with a dollar sign are the compiler's; begin it otherwise")
    }
    guard name.unicodeScalars.allSatisfy(isAllowedInBackticks) else {
      throw SwiftSourceError(at: place, "it has a backtick, a backslash, a line feed or another control; leave it out")
    }
    guard name.contains(where: { $0.isLetter || $0.isNumber }) else {
      throw SwiftSourceError(at: place, "it has no letter and no digit; add one")
    }
    return isPlain(name) && !keywords.contains(name) ? name : "`\(name)`"
  }

  /// The words that are names only in backticks where they are declared.
  private static let keywords: Set = [
    "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case", "catch", "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
    "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  private static func isAllowedInBackticks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    // Of the blanks, only that of the keyboard.
    case .spaceSeparator: scalar == " "
    default: scalar != "`" && scalar != "\\"
    }
  }

  /// A name as the program has it: mirrors show one that is no word with backticks, and other blanks.
  static func spoken(_ name: String) -> String {
    name.hasPrefix("`") ? String(name.dropFirst().dropLast()).replacing("\u{A0}", with: " ") : name
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.first, !first.isNumber else { return false }
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
