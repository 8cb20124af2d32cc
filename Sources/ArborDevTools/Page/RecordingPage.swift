/// A page on which a recording is looked at: one HTML file that asks for nothing else.
///
/// - Written piece by piece: neither the recording nor the page is in memory as a whole.
/// - Whatever a recording says stays data: no `<` of it is written as such, nor a line separator that scripts take for the
///   end of a line.
/// - A value: pieces are written from one thread at a time.
package struct RecordingPage<Failure: Error> {
  /// A receiver of bytes in order. The buffer is valid during the call alone.
  package typealias Output = (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void

  private let output: Output
  private var data = PageData()

  /// Writes what comes before the recording.
  ///
  /// - Parameters:
  ///   - live: The path at which a program answers the page, relative to the page; `nil` for a page in a file.
  ///   - output: The receiver of the page. What it throws ends the writing.
  package init(live: String? = nil, to output: @escaping Output) throws(Failure) {
    self.output = output
    try write(PageTemplate.beforeLive)
    if let live { try write(bytes: Array(#"<meta name="arbor-live" content="\#(Self.attribute(live))">"#.utf8)) }
    try write(PageTemplate.beforeRecording)
  }

  /// Writes a piece of the recording's JSON in UTF-8, which may end anywhere, also inside a character.
  package mutating func write(json piece: some Sequence<UInt8>) throws(Failure) {
    try write(bytes: data.escaped(piece))
  }

  /// Writes what comes after the recording.
  package mutating func finish() throws(Failure) {
    try write(bytes: data.rest())
    try write(PageTemplate.afterRecording)
  }

  private func write(_ text: StaticString) throws(Failure) {
    try output(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private func write(bytes: [UInt8]) throws(Failure) {
    if !bytes.isEmpty { try bytes.withUnsafeBufferPointer(output) }
  }

  /// A text as it stands in the quotes of an attribute.
  private static func attribute(_ text: String) -> String {
    text.reduce(into: "") { attribute, character in
      switch character {
      case "&": attribute += "&amp;"
      case "\"": attribute += "&quot;"
      case "<": attribute += "&lt;"
      case ">": attribute += "&gt;"
      default: attribute.append(character)
      }
    }
  }
}

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
