/// Lines of Swift, broken like `swift format` breaks them, with at most 120 characters.
struct SourceLines {
  static let width = 120

  private(set) var lines: [String] = []

  var text: String { lines.joined(separator: "\n") }

  /// Adds a line.
  mutating func add(_ line: String, indentation: Int) {
    lines.append(line.isEmpty ? "" : String(repeating: " ", count: indentation) + line)
  }

  /// Adds lines that are already indented.
  mutating func add(_ other: SourceLines) {
    lines += other.lines
  }

  /// Returns `true` if a line isn't too long.
  ///
  /// - Parameter commas: The ``SourceText/commas`` of the expressions on the line.
  static func fits(_ line: String, indentation: Int, commas: Int = 0) -> Bool {
    indentation + line.unicodeScalars.count + commas <= width
  }

  /// Returns `true` if an expression can be written on one line.
  static func fits(_ text: SourceText, after start: String = "", before end: String = "", indentation: Int) -> Bool {
    !text.needsLines && fits(start + text.flat + end, indentation: indentation, commas: text.commas)
  }

  /// Adds an expression, in as few lines as possible.
  ///
  /// - Parameters:
  ///   - start: The text before the expression, on its first line.
  ///   - end: The text after the expression, on its last line.
  ///   - stringIndentation: The indentation of a long string's lines, relative to the first line.
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

  /// Adds an expression, broken into lines where possible.
  mutating func addDivided(
    _ text: SourceText,
    after start: String = "",
    before end: String = "",
    indentation: Int,
    stringIndentation: Int = 2
  ) {
    if start.hasSuffix(": "), !SourceLines.fits(start + text.start, indentation: indentation) {
      // The value gets its own line if its key is already too long.
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
