/// The literal of a string, with exactly its scalars. The source contains no invisible scalars.
enum StringLiteral {
  /// Returns the literal on one line; a raw literal if that saves more than one escape.
  static func line(_ value: String) -> String {
    raw(value) ?? "\"" + value.unicodeScalars.map { escaped($0) }.joined() + "\""
  }

  /// Returns the lines between the quotes of a multiline literal. They have at most approximately the given number of
  /// characters.
  static func lines(_ value: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var length = 0
    var previous: Unicode.Scalar?
    let scalars = value.unicodeScalars
    for index in scalars.indices {
      let scalar = scalars[index]
      defer { previous = scalar }
      if scalar == "\n" {
        lines.append(withVisibleEnd(line))
        (line, length) = ("", 0)
        continue
      }
      // One quotation mark doesn't end a multiline literal.
      let part = scalar == "\"" && previous != "\"" ? "\"" : escaped(scalar)
      if length + part.unicodeScalars.count > width - 1 {
        lines.append(line + "\\")
        (line, length) = ("", 0)
      }
      line += part
      length += part.unicodeScalars.count
    }
    return lines + [withVisibleEnd(line)]
  }

  /// Returns a line without a blank at its end.
  private static func withVisibleEnd(_ line: String) -> String {
    line.hasSuffix(" ") ? String(line.dropLast()) + "\\u{20}" : line
  }

  private static func raw(_ value: String) -> String? {
    let scalars = value.unicodeScalars
    guard scalars.count(where: { $0 == "\"" || $0 == "\\" }) > 1, scalars.allSatisfy(isVisible) else { return nil }
    // Two quotes at the beginning would start a multiline literal.
    guard !value.hasPrefix("\"\"") else { return nil }
    var longest = 0
    var current: Int?
    for scalar in scalars {
      switch scalar {
      case "\"", "\\": current = 0
      case "#": current = current.map { $0 + 1 }
      default: current = nil
      }
      longest = max(longest, current ?? 0)
    }
    let marks = String(repeating: "#", count: longest + 1)
    return "\(marks)\"\(value)\"\(marks)"
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\0": "\\0"
    default: isVisible(scalar) ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }

  /// Returns `true` if a reader sees the scalar as it is. Marks that combine with the previous character don't count as
  /// visible.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: false
    case .control, .format, .surrogate, .privateUse, .unassigned: false
    case .spaceSeparator: scalar == " "
    default: true
    }
  }
}
