/// A line of text that a person types.
package struct TextField: Equatable, Sendable {
  /// The maximum number of scalars of a text.
  private static let longest = 500

  package private(set) var text: String

  /// The number of characters before the cursor.
  package private(set) var cursor: Int

  package init(_ text: String = "") {
    self.text = Self.oneLine(text)
    cursor = self.text.count
  }

  /// The text without spaces around it.
  package var trimmed: String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }

  /// Handles a key. Returns `false` if the key isn't for editing text.
  package mutating func press(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
    case .paste(let text): insert(Self.oneLine(text))
    case .backspace: remove(from: cursor - 1, to: cursor)
    case .delete, .control("d"): remove(from: cursor, to: cursor + 1)
    case .arrow(.left, isShifted: false), .control("b"): cursor = max(cursor - 1, 0)
    case .arrow(.right, isShifted: false), .control("f"): cursor = min(cursor + 1, text.count)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = text.count
    case .control("u"): remove(from: 0, to: cursor)
    case .control("k"): remove(from: cursor, to: text.count)
    case .control("w"): remove(from: startOfWord, to: cursor)
    default: return false
    }
    return true
  }

  private var startOfWord: Int {
    let before = text.prefix(cursor).reversed().drop(while: \.isWhitespace).drop { !$0.isWhitespace }
    return before.count
  }

  private mutating func insert(_ more: String) {
    let room = Self.longest - text.unicodeScalars.count
    guard room > 0 else { return }
    // A scalar may join the character before it, so the position of the cursor is counted again.
    let before = text.prefix(cursor) + String(String.UnicodeScalarView(more.unicodeScalars.prefix(room)))
    let rest = text.dropFirst(cursor)
    text = String(before + rest)
    cursor = min(before.count, text.count)
  }

  private mutating func remove(from start: Int, to end: Int) {
    let (start, end) = (max(start, 0), min(end, text.count))
    guard start < end else { return }
    text = String(text.prefix(start) + text.dropFirst(end))
    cursor = min(start, text.count)
  }

  /// Returns the text with a space in place of each control character.
  private static func oneLine(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator: " "
          default: scalar
          }
        }
      )
    )
  }
}
