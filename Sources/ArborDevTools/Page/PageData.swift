/// JSON on its way into a script element of a page.
///
/// - `<` becomes `\u003c`, U+2028 and U+2029 become escapes: all of them stand in strings alone, so the JSON says the same.
/// - What comes may be cut anywhere: the start of a separator is kept back until its end is known.
struct PageData {
  /// The first bytes of what may be a separator.
  private var kept: [UInt8] = []

  private static let separatorStart: [UInt8] = [0xE2, 0x80]

  /// The next bytes as they are written.
  mutating func escaped(_ piece: some Sequence<UInt8>) -> [UInt8] {
    var written: [UInt8] = []
    written.reserveCapacity(piece.underestimatedCount)
    for byte in piece {
      switch (kept.count, byte) {
      case (2, 0xA8): replace(by: #"\u2028"#, in: &written)
      case (2, 0xA9): replace(by: #"\u2029"#, in: &written)
      case (1, Self.separatorStart[1]): kept.append(byte)
      default:
        if !kept.isEmpty { written += rest() }
        if byte == Self.separatorStart[0] {
          kept.append(byte)
        } else if byte == UInt8(ascii: "<") {
          replace(by: #"\u003c"#, in: &written)
        } else {
          written.append(byte)
        }
      }
    }
    return written
  }

  /// What was kept back, as it is.
  mutating func rest() -> [UInt8] {
    defer { kept.removeAll(keepingCapacity: true) }
    return kept
  }

  private mutating func replace(by escape: StaticString, in written: inout [UInt8]) {
    kept.removeAll(keepingCapacity: true)
    escape.withUTF8Buffer { written += $0 }
  }
}
