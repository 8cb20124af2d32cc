/// A page that shows a recording: a single, self-contained HTML file.
///
/// - It is written piece by piece: neither the recording nor the page is ever in memory as a whole.
/// - A recording's contents always stay data: `<` is escaped, and so are the line separators that scripts treat as line
///   breaks.
/// - It is a value: write its pieces from one thread at a time.
package struct RecordingPage<Failure: Error> {
  /// A receiver of bytes in order. The buffer is only valid during the call.
  package typealias Output = (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void

  private let output: Output
  private var data = PageData()

  /// Writes the part before the recording.
  ///
  /// - Parameters:
  ///   - live: The path at which a program answers the page, relative to the page; nil for a page in a file.
  ///   - output: The receiver of the page. If it throws an error, the writing ends.
  package init(live: String? = nil, to output: @escaping Output) throws(Failure) {
    self.output = output
    try write(PageTemplate.beforeLive)
    if let live { try write(bytes: Array(#"<meta name="arbor-live" content="\#(Self.attribute(live))">"#.utf8)) }
    try write(PageTemplate.beforeRecording)
  }

  /// Writes a piece of the recording's JSON in UTF-8. The piece may end anywhere, even inside a character.
  package mutating func write(json piece: some Sequence<UInt8>) throws(Failure) {
    try write(bytes: data.escaped(piece))
  }

  /// Writes the part after the recording.
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

  /// Returns a text in the form that it has in a quoted attribute.
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

/// JSON that is written to a script element of a page.
///
/// - `<`, U+2028 and U+2029 are replaced with escapes. They only occur in strings, so the JSON keeps its meaning.
/// - Pieces may be cut anywhere: the start of a separator is kept back until its end is known.
struct PageData {
  /// The first bytes of both separators.
  private static let start: (UInt8, UInt8) = (0xE2, 0x80)

  /// The number of bytes of ``start`` that are kept back until the next byte is known.
  private var kept = 0

  /// Returns the next bytes in their escaped form.
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

  /// Returns the bytes that were kept back, unchanged.
  mutating func rest() -> [UInt8] {
    defer { kept = 0 }
    return Array([Self.start.0, Self.start.1].prefix(kept))
  }
}
