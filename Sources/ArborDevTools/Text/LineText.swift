internal import Arbor
internal import ArborDiff

/// The text of a value that goes into a line.
enum LineText {
  /// So many characters are enough to know an action.
  private static let limits = StateDiffLimits(characters: 1000, parts: 1000)

  /// So many scalars are more than that in any script; but one character can be made of millions.
  private static let longest = 4000

  /// The text of a value: what it says of itself, else of what it is made. One with a confidential part isn't asked.
  ///
  /// - Cut where it gets long. It may have newlines and other controls.
  static func of(_ value: Any) -> String {
    beginning(of: description(of: value) ?? ValueText.of(value, limits: limits))
  }

  /// A text, cut where it gets long.
  static func beginning(of text: String) -> String {
    // Fewer bytes than scalars there are not: most texts need not be looked at.
    guard text.utf8.count > longest else { return text }
    let beginning = text.unicodeScalars.prefix(longest)
    return beginning.endIndex == text.endIndex ? text : String(beginning) + "…"
  }

  /// A text with escapes in the place of newlines and other controls.
  static func escaping(_ text: String) -> String {
    replacingBreaks(in: text) { scalar in
      switch scalar {
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
  }

  /// A text with others in the place of the scalars that could break a line, or turn the order of what is read.
  static func replacingBreaks(in text: String, with replacement: (Unicode.Scalar) -> String) -> String {
    guard text.unicodeScalars.contains(where: isBreak) else { return text }
    var replaced = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isBreak(scalar) {
        replaced.append(contentsOf: replacement(scalar).unicodeScalars)
      } else {
        replaced.append(scalar)
      }
    }
    return String(replaced)
  }

  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F: true
    // Separators of lines and paragraphs, marks and overrides of the direction of writing.
    case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The description of a value whose type has parts and yet describes itself.
  private static func description(of value: Any) -> String? {
    if let id = value as? any DebugShown { return Confidentiality.hidesPart(of: value) ? nil : id.debugDescription }
    switch Mirror(reflecting: value).displayStyle {
    case .enum, .struct, .class:
      guard let value = value as? any CustomStringConvertible else { return nil }
      return Confidentiality.hidesPart(of: value, within: limits.parts) ? nil : value.description
    default: return nil
    }
  }
}
