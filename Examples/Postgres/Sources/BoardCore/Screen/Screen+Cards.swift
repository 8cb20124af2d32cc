extension Screen {
  /// Returns the width of a column.
  private func width(of column: Column) -> Int {
    guard columns.count > 1 else { return width }
    // There is a line between two columns.
    let room = width - (columns.count - 1)
    return room / columns.count + (column == columns.last ? room % columns.count : 0)
  }

  /// The headings of the columns. If only one column is shown, the row still has the headings of all.
  var headings: Row {
    guard columns.count > 1 else { return tabs }
    return beside { column in
      Row([heading(of: column)], atMost: width(of: column))
    }
  }

  private var tabs: Row {
    let tabs = Column.allCases.map(heading)
    // If they don't all fit, only the heading of the shown column appears.
    guard tabs.reduce(0, { $0 + $1.width }) > width else { return Row(tabs, atMost: width) }
    let column = scene.interface.column
    let (before, after) = (column.left == nil ? " " : "‹", column.right == nil ? "" : "›")
    return Row([Span(before, .faint), heading(of: column), Span(after, .faint)], atMost: width)
  }

  private func heading(of column: Column) -> Span {
    let text = " \(column.title) \(scene.board.cards(in: column).count) "
    guard column == scene.interface.column else { return Span(text, .faint) }
    return Span(text, .strong)
  }

  /// The line below the headings.
  var rule: Row {
    let lines = columns.map { String(repeating: "─", count: width(of: $0)) }
    return Row([Span(lines.joined(separator: columns.count > 1 ? "┼" : ""), .faint)], atMost: width)
  }

  /// Returns the cards, in a number of rows.
  func cards(rows: Int) -> [Row] {
    let lists = columns.map { column in (column, list(of: column, rows: rows)) }
    return (0..<rows).map { row in
      beside { column in lists.first { $0.0 == column }?.1[row] ?? Row() }
    }
  }

  /// Joins the rows of all columns.
  private func beside(_ part: (Column) -> Row) -> Row {
    var row = Row()
    for column in columns {
      let end = row.width + width(of: column)
      for span in part(column).spans { row.add(span, atMost: end) }
      guard column != columns.last else { continue }
      row.pad(to: end)
      row.add(Span("│", .faint), atMost: width)
    }
    return row
  }

  // MARK: A column

  private func list(of column: Column, rows: Int) -> [Row] {
    let cards = scene.board.cards(in: column)
    let selected = scene.interface.card(in: column, on: scene.board)
    let width = width(of: column)
    guard !cards.isEmpty else {
      let hint = column == scene.interface.column ? " a adds a card" : ""
      return filled([Row([Span(hint, .faint)], atMost: width)], to: rows)
    }
    let row = cards.firstIndex { $0.id == selected?.id } ?? 0
    let start = min(max(row - rows / 2, 0), max(cards.count - rows, 0))
    let end = min(start + rows, cards.count)
    var list = cards[start..<end].map { card in
      self.row(of: card, isSelected: column == scene.interface.column && card.id == selected?.id, width)
    }
    // With fewer rows, the counts would hide the selected card.
    guard rows >= 3 else { return filled(list, to: rows) }
    if start > 0 { list[0] = more(start + 1, "↑", width) }
    if end < cards.count { list[rows - 1] = more(cards.count - end + 1, "↓", width) }
    return filled(list, to: rows)
  }

  private func more(_ count: Int, _ arrow: String, _ width: Int) -> Row {
    Row([Span(" \(arrow) \(count) more", .faint)], atMost: width)
  }

  private func row(of card: Card, isSelected: Bool, _ width: Int) -> Row {
    let mark = scene.unconfirmed.contains(card.id) ? "~" : " "
    let watchers = scene.people.names(at: card.id).map { "◂\($0)" }
    let tags = watchers.map { ($0, Style.person) } + (card.assignee.map { [("@\($0)", Style.faint)] } ?? [])
    // The text comes first: the tags get the remaining room, but at least a third of the column.
    let room = max(width / 3, width - 3 - TerminalText(card.text, atMost: width).width)
    let end = Row(
      tags.flatMap { [.gap(1), Span($0.0, isSelected ? .selected : $0.1)] }, atMost: width < 14 ? 0 : room)
    var row = Row([Span(mark + card.text, isSelected ? .selected : .plain)], atMost: width - end.width - 1)
    let style: Style = isSelected ? .selected : .plain
    row.pad(to: width - end.width - 1, style)
    for span in end.spans { row.add(span.text == " " ? .gap(1, style) : span, atMost: width) }
    row.pad(to: width, style)
    return row
  }
}
