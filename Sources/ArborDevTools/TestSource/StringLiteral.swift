/// The literal of a string: exactly its scalars, and none in the source that a reader does not see.
enum StringLiteral {
  /// The literal on one line; a raw one if that saves more than one escape.
  static func line(_ value: String) -> String {
    raw(value) ?? "\"" + value.unicodeScalars.map { escaped($0) }.joined() + "\""
  }

  /// The lines between the quotes of a literal of several lines, of which none has more than about so many characters.
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
      // A quote alone ends nothing.
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

  /// A line without a blank at its end.
  private static func withVisibleEnd(_ line: String) -> String {
    line.hasSuffix(" ") ? String(line.dropLast()) + "\\u{20}" : line
  }

  private static func raw(_ value: String) -> String? {
    let scalars = value.unicodeScalars
    guard scalars.count(where: { $0 == "\"" || $0 == "\\" }) > 1, scalars.allSatisfy(isVisible) else { return nil }
    // The quotes at its beginning would be those of a literal of several lines.
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

  /// `true` if a reader sees the scalar as it is. Marks that join the character before them are not seen so.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: false
    case .control, .format, .surrogate, .privateUse, .unassigned: false
    case .spaceSeparator: scalar == " "
    default: true
    }
  }
}
