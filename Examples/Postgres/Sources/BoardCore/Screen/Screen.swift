/// The drawing of a scene in a terminal of some size.
package struct Screen {
  /// The minimum width for showing all columns.
  static let wide = 60

  /// The maximum number of rows of a message.
  private static let longestMessage = 3

  let scene: Scene
  let size: Size

  package init(_ scene: Scene, of size: Size) {
    self.scene = scene
    self.size = size
  }

  var width: Int { size.columns }

  /// The shown columns.
  var columns: [Column] { width >= Self.wide ? Column.allCases : [scene.interface.column] }

  /// The frame, which has exactly as many rows as the terminal. No row is wider than the terminal.
  package var frame: Frame {
    var frame = Frame(of: size)
    let message = message
    let layout = Layout(rows: size.rows, message: message.rows.count)
    if layout.hasTitle { frame.rows.append(title) }
    if scene.interface.mode == .help {
      let count = layout.cards + layout.details + (layout.hasHeadings ? 1 : 0) + (layout.hasRule ? 1 : 0)
      frame.rows += help(rows: count)
    } else {
      if layout.hasHeadings { frame.rows.append(headings) }
      if layout.hasRule { frame.rows.append(rule) }
      frame.rows += cards(rows: layout.cards)
      if layout.details > 0 { frame.rows += details(rows: layout.details) }
    }
    if let column = message.cursor, layout.message > 0 {
      frame.cursor = Frame.Cursor(column: column, row: frame.rows.count)
    }
    frame.rows += filled(message.rows, to: layout.message)
    if layout.hasStatus { frame.rows.append(status) }
    if layout.hasKeys { frame.rows.append(keys) }
    return frame
  }

  /// Returns a number of rows, by cutting rows or adding empty ones.
  func filled(_ rows: [Row], to count: Int) -> [Row] {
    Array((rows + Array(repeating: Row(), count: max(count - rows.count, 0))).prefix(count))
  }

  // MARK: The message

  /// The rows of a question, typed text or a message, and the column of the cursor. The column is nil if nothing is typed.
  private var message: (rows: [Row], cursor: Int?) {
    switch scene.interface.mode {
    case .typing(let field, let purpose): return typing(field, purpose)
    case .removing(let card):
      let question = "Remove “\(TerminalText(card.text, atMost: max(width - 18, 8)).text)”? y/n"
      return ([Row([Span(question, .careful)], atMost: width)], nil)
    case .browsing, .help:
      let limit = size.rows < 10 ? 1 : Self.longestMessage
      let lines = TerminalText.wrapped(scene.message ?? "", to: width, lines: limit)
      let style: Style = scene.standing.stopReason == nil ? .careful : .bad
      return (lines.map { Row([Span($0, style)], atMost: width) }, nil)
    }
  }

  private func typing(_ field: TextField, _ purpose: Mode.Purpose) -> (rows: [Row], cursor: Int?) {
    var row = Row([Span(label(of: purpose), .strong), .gap(1)], atMost: width / 2)
    let start = row.width
    let (text, cursor) = field.window(width: width - start)
    row.add(Span(text), atMost: width)
    return ([row], max(min(start + cursor, width - 1), 0))
  }

  private func label(of purpose: Mode.Purpose) -> String {
    switch purpose {
    case .add(let column): return "Add to \(column.title):"
    case .edit(let card):
      guard let now = scene.board[card.id] else { return "Removed. Add it again:" }
      return now.text == card.text ? "Edit:" : "Edit (\(now.changed.author) changed it):"
    case .assign: return "Assign to:"
    }
  }
}

extension TextField {
  /// Returns the part of the text around the cursor that fits into a width, and the cursor's column in it.
  fileprivate func window(width: Int) -> (text: String, cursor: Int) {
    guard width > 1 else { return ("", 0) }
    let before = text.prefix(cursor)
    var start = before.startIndex
    var column = before.reduce(0) { $0 + TerminalCell($1).width }
    while column >= width {
      column -= TerminalCell(before[start]).width
      start = before.index(after: start)
    }
    let shown = text[start...]
    return (TerminalText(shown, atMost: width).text, column)
  }
}
