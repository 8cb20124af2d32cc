/// Texts that break careless code.
enum Hostile {
  static let texts: [String] = [
    "", "\n", "\r\n", "a\nb\u{2028}c\u{2029}d\u{85}e\u{0B}\u{0C}f", "\"quoted\" \\ back", "\u{0}\u{7}\u{1B}[31m\u{7F}",
    "}{][,:", "\u{202E}desrever\u{202C}", String(decoding: [0xD800, 0x41, 0xDC00], as: UTF16.self),
    String(decoding: [0xFF, 0xFE, 0x41, 0xC0] as [UInt8], as: UTF8.self), "👩‍👩‍👧‍👦 e\u{301}", "\u{FEFF}\u{FFFF}",
    String(repeating: "long ", count: 200_000), "e" + String(repeating: "\u{301}", count: 100_000),
    String(repeating: "\n", count: 10_000),
  ]

  /// Returns `true` if a text is one line, by any definition of a line break.
  static func isOneLine(_ text: String) -> Bool {
    !text.contains(where: \.isNewline)
      && !text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }
}
