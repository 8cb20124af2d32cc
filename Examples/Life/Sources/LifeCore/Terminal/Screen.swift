/// A moment as the lines of a terminal.
package enum Screen {
  /// The lines, as many as the terminal has rows, with the control sequences of their colors.
  ///
  /// - Parameters:
  ///   - moment: The moment to show.
  ///   - size: The size of the terminal. If it is too small, a sentence says so.
  ///   - speed: The text about the times of the frames.
  package static func lines(of moment: Moment, in size: Size, speed: String = "") -> [String] {
    guard size.columns >= Size.smallest.columns, size.rows >= Size.smallest.rows else {
      let (columns, rows) = (Size.smallest.columns, Size.smallest.rows)
      let sentence = "The terminal is too small: \(columns) columns and \(rows) rows are needed."
      return [String(sentence.prefix(size.columns))] + Array(repeating: "", count: max(size.rows - 1, 0))
    }
    let canvas = Canvas(
      of: moment.state.world, around: moment.cursor, in: Size(columns: size.columns, rows: size.rows - 4))
    var lines = [heading(of: moment, width: size.columns, speed: speed)]
    lines += cells(of: canvas, moment)
    lines += Array(repeating: "", count: size.rows - 4 - canvas.size.rows)
    lines.append((moment.isPast ? Style.past : .faint)(Timeline.text(of: moment, width: size.columns)))
    lines.append(Style.faint(String(timeKeys.prefix(size.columns))))
    lines.append(Style.faint(String(worldKeys.prefix(size.columns))))
    return lines
  }

  private static let timeKeys =
    "q quit  space pause  ← → step  , . 60 steps  r rewind  x without last change  ⏎ from here  p present"
  private static let worldKeys =
    "wasd cursor  " + Pattern.allCases.map { "\($0.rawValue + 1) \($0.title)  " }.joined() + "n new world"

  private static func heading(of moment: Moment, width: Int, speed: String) -> String {
    let state = moment.state
    let pace = moment.isPast && moment.pace == .paused ? "the past" : moment.pace.rawValue
    let cells = state.world.width * state.world.height
    let facts = "  generation \(state.generation)  \(state.world.population) of \(cells) alive  \(moment.note)"
    let room = width - pace.count - 2 - speed.count
    let padded = facts.padded(to: max(room, 0))
    return (moment.isPast ? Style.past : .title)("● \(pace)") + padded + Style.faint(speed)
  }

  private static func cells(of canvas: Canvas, _ moment: Moment) -> [String] {
    let style = moment.isPast ? Style.past : .alive
    let cursor = canvas.place(of: moment.cursor)
    return (0..<canvas.size.rows).map { row in
      let text = canvas.text(ofRow: row)
      guard row == cursor.row, cursor.column < canvas.size.columns else { return style(text) }
      let split = text.index(text.startIndex, offsetBy: cursor.column)
      return style(String(text[..<split])) + Style.mark("+") + style(String(text[split...].dropFirst()))
    }
  }
}

extension String {
  /// The text with a number of characters: cut, or padded with spaces.
  fileprivate func padded(to width: Int) -> String {
    count >= width ? String(prefix(width)) : self + String(repeating: " ", count: width - count)
  }
}
