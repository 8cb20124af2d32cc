/// Names of a program in source code, with backticks where they are needed.
enum Identifier {
  /// Returns the name after a dot.
  static func member(_ name: String) -> String {
    let name = spoken(name)
    return isPlain(name) && !["init", "self", "Type", "Protocol"].contains(name) ? name : "`\(name)`"
  }

  /// Returns the name before a colon.
  static func label(_ name: String) -> String {
    let name = spoken(name)
    return isPlain(name) && !["inout", "var", "let"].contains(name) ? name : "`\(name)`"
  }

  /// Returns the name of a type that isn't nested in another.
  static func type(_ name: String) -> String {
    keywords.contains(name) && !["Any", "Self"].contains(name) ? "`\(name)`" : name
  }

  /// Returns the name of a function in its declaration.
  ///
  /// - Throws: ``SwiftSourceError`` for a name that no function can have, even in backticks.
  static func function(_ name: String) throws(SwiftSourceError) -> String {
    let place = "the name \(name.debugDescription)"
    guard !name.hasPrefix("$") || name == "$" else {
      throw SwiftSourceError(at: place, "the compiler reserves names with a leading dollar sign; remove it")
    }
    guard name.unicodeScalars.allSatisfy(isAllowedInBackticks) else {
      throw SwiftSourceError(at: place, "it contains a backtick, a backslash or a control character; remove it")
    }
    guard name.contains(where: { $0.isLetter || $0.isNumber }) else {
      throw SwiftSourceError(at: place, "it contains no letter or digit; add one")
    }
    return isPlain(name) && !keywords.contains(name) ? name : "`\(name)`"
  }

  /// The words that need backticks when they are declared as names.
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
    // The only blank that is allowed is the ordinary space.
    case .spaceSeparator: scalar == " "
    default: scalar != "`" && scalar != "\\"
    }
  }

  /// Returns a name as the program defines it. Mirrors show special names with backticks and with other blanks.
  static func spoken(_ name: String) -> String {
    name.hasPrefix("`") ? String(name.dropFirst().dropLast()).replacing("\u{A0}", with: " ") : name
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.first, !first.isNumber else { return false }
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
