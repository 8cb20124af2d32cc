/// Lines with columns as wide as their longest text.
struct Table {
  /// A column.
  struct Column {
    let title: String
    var isNumber = false
  }

  private let columns: [Column]
  private var rows: [[String]]

  init(_ columns: Column...) {
    self.columns = columns
    rows = [columns.map(\.title)]
  }

  /// Adds a row with a text for each column.
  mutating func add(_ texts: String...) {
    // A control character has a different width than its escape.
    rows.append(texts.map(\.escaped))
  }

  /// The lines, beginning with the titles; numbers are aligned at the right of their column.
  var lines: [String] {
    let widths = columns.indices.map { index in rows.map { $0[index].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { index in
        let space = String(repeating: " ", count: widths[index] - row[index].count)
        return columns[index].isNumber ? space + row[index] : row[index] + space
      }
      let line = cells.joined(separator: "  ")
      return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
    }
  }
}
