/// An expression of Swift, before it is divided into lines.
indirect enum SourceText {
  /// Something that stays on one line.
  case plain(String)

  /// A string literal, which may have several lines, and what follows it.
  case string(String, suffix: String = "")

  /// Items between brackets. A collection's last item has a comma behind it where each has its own line.
  case list(opening: String, [Item], closing: String, isCollection: Bool = false)

  /// An item of a list.
  struct Item {
    /// The text before the item: `id: `, or a key.
    var label = ""
    var isEntry = false
    let text: SourceText
  }

  /// The expression on one line.
  var flat: String {
    switch self {
    case .plain(let text): text
    case .string(let value, let suffix): StringLiteral.line(value) + suffix
    case .list(let opening, let items, let closing, _):
      opening + items.map { $0.label + $0.text.flat }.joined(separator: ", ") + closing
    }
  }

  /// The beginning of the expression where it is divided into lines.
  var start: String {
    switch self {
    case .plain(let text): text
    case .string: "\"\"\""
    case .list(let opening, _, _, _): opening
    }
  }

  /// The number of commas that `swift format` counts on one line though it writes them only on several.
  var commas: Int {
    guard case .list(_, let items, _, let isCollection) = self else { return 0 }
    return items.reduce(isCollection && items.count > 1 ? 1 : 0) { $0 + $1.text.commas }
  }

  /// The expression with something behind it.
  func followed(by end: String) -> SourceText {
    switch self {
    case .plain(let text): .plain(text + end)
    case .string(let value, let suffix): .string(value, suffix: suffix + end)
    case .list(let opening, let items, let closing, let isCollection):
      .list(opening: opening, items, closing: closing + end, isCollection: isCollection)
    }
  }
}
