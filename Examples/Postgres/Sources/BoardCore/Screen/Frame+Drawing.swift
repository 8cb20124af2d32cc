extension Frame {
  /// Returns the text that makes a terminal show this frame.
  ///
  /// - Unchanged rows aren't drawn. The terminal shows all changes at once, if it supports that.
  /// - After text whose width a terminal may calculate differently, the position is set explicitly, so the text after it isn't
  ///   shifted.
  /// - Parameters:
  ///   - old: The shown frame; nil if it is unknown.
  ///   - hasColors: `false` to use no colors.
  package func drawing(over old: Frame?, hasColors: Bool) -> String {
    let old = old?.size == size ? old : nil
    var text = "\u{1B}[?2026h\u{1B}[?25l"
    if old == nil { text += "\u{1B}[0m\u{1B}[2J" }
    for (index, row) in rows.enumerated() where old?.rows[index] != row {
      text += "\u{1B}[\(index + 1);1H\u{1B}[2K" + row.drawing(hasColors: hasColors)
    }
    if let cursor { text += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h" }
    return text + "\u{1B}[?2026l"
  }
}

extension Row {
  fileprivate func drawing(hasColors: Bool) -> String {
    var text = ""
    var column = 1
    var isCertain = true
    for span in spans {
      if !isCertain { text += "\u{1B}[\(column)G" }
      let parameters = span.style.parameters(hasColors: hasColors)
      text += parameters.isEmpty ? span.text : "\u{1B}[\(parameters)m\(span.text)\u{1B}[0m"
      column += span.width
      isCertain = span.text.utf8.allSatisfy { $0 < 0x80 }
    }
    return text
  }
}
