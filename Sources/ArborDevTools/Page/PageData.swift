/// JSON on its way into a script element of a page.
///
/// - `<` becomes `\u003c`, U+2028 and U+2029 become escapes: all of them stand in strings alone, so the JSON says the same.
/// - Pieces may be cut anywhere: the start of a separator is kept back until its end is known.
struct PageData {
  /// The first bytes of both separators.
  private static let start: (UInt8, UInt8) = (0xE2, 0x80)

  /// The number of bytes of ``start`` that were kept back, until the next byte is known.
  private var kept = 0

  /// The next bytes as they are written.
  mutating func escaped(_ piece: some Sequence<UInt8>) -> [UInt8] {
    var written: [UInt8] = []
    written.reserveCapacity(piece.underestimatedCount)
    for byte in piece {
      switch (kept, byte) {
      case (0, UInt8(ascii: "<")): written += #"\u003c"#.utf8
      case (0, Self.start.0), (1, Self.start.1): kept += 1
      case (0, _): written.append(byte)
      case (2, 0xA8), (2, 0xA9):
        written += (byte == 0xA8 ? #"\u2028"# : #"\u2029"#).utf8
        kept = 0
      default:
        written += rest()
        if byte == Self.start.0 {
          kept = 1
        } else if byte == UInt8(ascii: "<") {
          written += #"\u003c"#.utf8
        } else {
          written.append(byte)
        }
      }
    }
    return written
  }

  /// The bytes that were kept back, as they are.
  mutating func rest() -> [UInt8] {
    defer { kept = 0 }
    return Array([Self.start.0, Self.start.1].prefix(kept))
  }
}
