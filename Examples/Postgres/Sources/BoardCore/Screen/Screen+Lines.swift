internal import Foundation

extension Screen {
  /// The title and the other people.
  var title: Row {
    let names = scene.people.names
    let others = names.isEmpty ? "no one else is here" : "also here: \(names.joined(separator: ", "))"
    return Row(
      [Span(" Board", .strong), Span(" · \(scene.name)", .faint)],
      right: [Span(others, names.isEmpty ? .faint : .person), .gap(1)],
      to: width
    )
  }

  /// Returns the details of the selected card: its whole text, if it fits, and its history.
  func details(rows: Int) -> [Row] {
    let line = Row([Span(String(repeating: "─", count: width), .faint)], atMost: width)
    guard let card = scene.interface.card(on: scene.board) else { return filled([line], to: rows) }
    let text = TerminalText.wrapped(card.text, to: width - 2, lines: rows - 2)
    var about = [card.assignee.map { "assigned to \($0)" } ?? "not assigned yet"]
    if scene.unconfirmed.contains(card.id) { about.append("not confirmed yet") }
    about.append("added by \(card.added.author) \(Self.time(card.added.date))")
    if card.changed != card.added { about.append("changed by \(card.changed.author) \(Self.time(card.changed.date))") }
    let end = TerminalText.wrapped(about.joined(separator: " · "), to: width - 2, lines: rows - 1 - text.count)
    let all = text.map { Span($0) } + end.map { Span($0, .faint) }
    return filled([line] + all.map { Row([.gap(1), $0], atMost: width) }, to: rows)
  }

  private static func time(_ date: Date) -> String {
    // A date from another person may be any number, but the calendar doesn't support all of them.
    guard abs(date.timeIntervalSinceReferenceDate) < 1e10 else { return "at an unknown time" }
    let format: Date.FormatString = """
      \(day: .defaultDigits) \(month: .abbreviated) \
      \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)
      """
    // The words are English, like all others in the program.
    let style = Date.VerbatimFormatStyle(
      format: format,
      locale: Locale(identifier: "en_US_POSIX"),
      timeZone: .current,
      calendar: Calendar(identifier: .gregorian)
    )
    return date.formatted(style)
  }

  /// The connection to the log, and the pending changes.
  var status: Row {
    let standing = scene.standing
    let (sign, style): (String, Style) =
      switch standing.connection {
      case .connecting: ("◌", .careful)
      case .connected: ("●", .good)
      case .offline: ("○", .careful)
      case .stopped: ("■", .bad)
      }
    let summary = standing.summary
    let rest = summary.dropFirst().joined(separator: " · ")
    return Row([Span(" \(sign) \(summary[0])", style), Span(" · \(rest)")], atMost: width)
  }

  /// The keys that have an effect now, as far as they fit.
  var keys: Row {
    var row = Row()
    for hint in KeyHint.hints(in: scene.interface.mode) {
      let spans = [Span.gap(row.width == 0 ? 1 : 2), Span(hint.key, .strong), Span(" \(hint.meaning)", .faint)]
      guard spans.reduce(row.width, { $0 + $1.width }) <= width else { break }
      for span in spans { row.add(span) }
    }
    return row
  }

  /// Returns the list of all keys.
  func help(rows: Int) -> [Row] {
    filled(
      KeyHint.all.map { hint in
        var row = Row([.gap(1), Span(hint.key, .strong)], atMost: width)
        row.pad(to: min(18, width / 2))
        row.add(Span(hint.meaning), atMost: width)
        return row
      },
      to: rows
    )
  }
}
