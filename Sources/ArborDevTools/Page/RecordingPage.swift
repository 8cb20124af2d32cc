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
