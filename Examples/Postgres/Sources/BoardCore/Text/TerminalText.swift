/// Text as a terminal shows it in a limited width; see ``TerminalCell``.
///
/// - Characters beyond the width aren't read, no matter how long the text is.
package struct TerminalText: Equatable, Sendable {
  /// The text, which ends in `…` if it was cut.
  package let text: String

  /// The number of columns, at most the requested number.
  package let width: Int

  package init(_ source: some StringProtocol, atMost limit: Int) {
    var cells: [TerminalCell] = []
    var width = 0
    var isCut = false
    for character in source {
      let cell = TerminalCell(character)
      guard width + cell.width <= limit else {
        isCut = true
        break
      }
      cells.append(cell)
      width += cell.width
    }
    if isCut, limit > 0 {
      while let last = cells.last, width >= limit || last.text == " " {
        cells.removeLast()
        width -= last.width
      }
      cells.append(TerminalCell("…"))
      width += 1
    }
    text = cells.map(\.text).joined()
    self.width = width
  }

  /// Cuts a text into lines, at spaces if possible. The last line ends in `…` if there is more.
  package static func wrapped(_ text: String, to width: Int, lines limit: Int) -> [String] {
    guard width > 0, limit > 0 else { return [] }
    var rest = text[...]
    var lines: [String] = []
    while !rest.isEmpty, lines.count < limit - 1 {
      let end = endOfLine(rest, width)
      lines.append(TerminalText(rest[..<end], atMost: width).text)
      rest = rest[end...].drop { $0 == " " }
    }
    if !rest.isEmpty { lines.append(TerminalText(rest, atMost: width).text) }
    return lines
  }

  /// Returns the end of the first line of a text.
  private static func endOfLine(_ text: Substring, _ limit: Int) -> Substring.Index {
    var width = 0
    var space: Substring.Index?
    for index in text.indices {
      if text[index] == " " { space = index }
      width += TerminalCell(text[index]).width
      // At least one character, even if it is wider than the line.
      if width > limit { return space ?? max(index, text.index(after: text.startIndex)) }
    }
    return text.endIndex
  }
}
