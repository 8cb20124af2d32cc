internal import Arbor
internal import ArborDiff

/// The text of a value that becomes part of a line.
enum LineText {
  /// The limits of a text: enough characters to recognize an action.
  private static let limits = StateDiffLimits(characters: 1000, parts: 1000)

  /// The maximum number of scalars. It is more than those characters need in any script, but one character can consist of
  /// millions.
  private static let longest = 4000

  /// Returns the text of a value: its own description, or otherwise its parts. The description of a value with a
  /// confidential part isn't used.
  ///
  /// - Long texts are cut. The text may contain newlines and other control characters.
  static func of(_ value: Any) -> String {
    beginning(of: description(of: value) ?? ValueText.of(value, limits: limits))
  }

  /// Returns a text, cut if it is long.
  static func beginning(of text: String) -> String {
    // A text never has more scalars than bytes, so most texts don't have to be counted.
    guard text.utf8.count > longest else { return text }
    let beginning = text.unicodeScalars.prefix(longest)
    return beginning.endIndex == text.endIndex ? text : String(beginning) + "…"
  }

  /// Returns a text with escapes in place of newlines and other control characters.
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

  /// Replaces the scalars that could break a line or change the reading direction.
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
    // Line and paragraph separators, and the marks and overrides of the writing direction.
    case 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Returns the description of a value that has parts but describes itself.
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
