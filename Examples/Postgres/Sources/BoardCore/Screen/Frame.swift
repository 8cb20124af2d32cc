/// The width and the height of a terminal, in characters.
package struct Size: Equatable, Sendable {
  package let columns: Int
  package let rows: Int

  package init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(columns, 0), max(rows, 0))
  }
}

/// A row of the screen.
package struct Row: Equatable, Sendable {
  package private(set) var spans: [Span] = []
  package private(set) var width = 0

  package init() {}

  init(_ spans: [Span], atMost limit: Int) {
    for span in spans { add(span, atMost: limit) }
  }

  /// Makes a row with content at its left and right ends. If there isn't enough room, the right content is cut.
  init(_ left: [Span], right: [Span], to width: Int) {
    self.init(left, atMost: width)
    let end = Row(right, atMost: width - self.width - 2)
    if end.width > 0 {
      add(.gap(width - self.width - end.width))
      for span in end.spans { add(span, atMost: width) }
    }
  }

  /// Adds a span, as far as it fits.
  mutating func add(_ span: Span, atMost limit: Int = .max) {
    let room = limit - width
    let span = span.width <= room ? span : Span(span.text, span.style, atMost: room)
    guard span.width > 0 else { return }
    spans.append(span)
    width += span.width
  }

  /// Adds spaces up to a width.
  mutating func pad(to width: Int, _ style: Style = .plain) {
    if self.width < width { add(.gap(width - self.width, style)) }
  }

  /// The text without styles.
  package var text: String { spans.map(\.text).joined() }
}

/// The content of the whole screen.
package struct Frame: Equatable, Sendable {
  package let size: Size
  package internal(set) var rows: [Row] = []

  /// The position of the cursor, counted from 0; nil if it is hidden.
  package internal(set) var cursor: Cursor?

  package struct Cursor: Equatable, Sendable {
    package let column: Int
    package let row: Int
  }

  init(of size: Size) {
    self.size = size
  }

  /// The text without styles, one line for each row.
  package var text: String { rows.map(\.text).joined(separator: "\n") }
}
