/// Lines of Swift, divided as `swift format` divides them with lines of at most 120 characters.
struct SourceLines {
  static let width = 120

  private(set) var lines: [String] = []

  var text: String { lines.joined(separator: "\n") }

  /// Adds a line.
  mutating func add(_ line: String, indentation: Int) {
    lines.append(line.isEmpty ? "" : String(repeating: " ", count: indentation) + line)
  }

  /// Adds lines that are indented already.
  mutating func add(_ other: SourceLines) {
    lines += other.lines
  }

  /// `true` if a line is not too long.
  ///
  /// - Parameter commas: The ``SourceText/commas`` of what is on it.
  static func fits(_ line: String, indentation: Int, commas: Int = 0) -> Bool {
    indentation + line.unicodeScalars.count + commas <= width
  }

  /// `true` if an expression may be written on one line.
  static func fits(_ text: SourceText, after start: String = "", before end: String = "", indentation: Int) -> Bool {
    !text.needsLines && fits(start + text.flat + end, indentation: indentation, commas: text.commas)
  }

  /// Adds an expression, in as few lines as it fits in.
  ///
  /// - Parameters:
  ///   - start: The text before it on its first line.
  ///   - end: The text behind it on its last line.
  ///   - stringIndentation: The indentation of what a long string says, relative to that of the first line.
  mutating func add(
    _ text: SourceText,
    after start: String = "",
    before end: String = "",
    indentation: Int,
    stringIndentation: Int = 2
  ) {
    if SourceLines.fits(text, after: start, before: end, indentation: indentation) {
      return add(start + text.flat + end, indentation: indentation)
    }
    addDivided(text, after: start, before: end, indentation: indentation, stringIndentation: stringIndentation)
  }

  /// Adds an expression, divided into lines where it can be.
  mutating func addDivided(
    _ text: SourceText,
    after start: String = "",
    before end: String = "",
    indentation: Int,
    stringIndentation: Int = 2
  ) {
    if start.hasSuffix(": "), !SourceLines.fits(start + text.start, indentation: indentation) {
      // Behind a key that is too long itself.
      add(String(start.dropLast()), indentation: indentation)
      return add(text, before: end, indentation: indentation + 2, stringIndentation: 0)
    }
    switch text.kind {
    case .plain:
      guard start.hasSuffix("= ") else { return add(start + text.flat + end, indentation: indentation) }
      add(String(start.dropLast()), indentation: indentation)
      add(text.flat + end, indentation: indentation + 2)
    case .string:
      let inside = indentation + stringIndentation
      add(start + "\"\"\"", indentation: indentation)
      for line in StringLiteral.lines(text.opening, width: max(SourceLines.width - inside, 20)) {
        add(line, indentation: inside)
      }
      add("\"\"\"" + text.closing + end, indentation: inside)
    case .list, .collection, .block:
      add(start + text.opening, indentation: indentation)
      for (index, item) in text.items.enumerated() {
        let isLast = index == text.items.count - 1
        let hasComma = text.kind == .list && !isLast || text.kind == .collection && text.items.count > 1
        add(
          item.text,
          after: item.label,
          before: hasComma ? "," : "",
          indentation: indentation + 2,
          stringIndentation: text.kind != .block && (item.label.isEmpty || item.isEntry) ? 0 : 2
        )
      }
      add(text.closing + end, indentation: indentation)
    }
  }
}
