extension Interface {
  mutating func type(
    _ key: Key,
    into field: TextField,
    _ purpose: Mode.Purpose,
    _ board: Board,
    _ names: [String]
  ) -> Request? {
    var field = field
    switch (key, purpose) {
    case (.escape, _), (.control("c"), _): mode = .browsing
    case (.enter, _):
      mode = .browsing
      return change(field.trimmed, purpose, board).map { .change($0) }
    case (.tab, .assign): mode = .typing(TextField(Self.name(after: field.text, in: names)), purpose)
    default:
      if field.press(key) { mode = .typing(field, purpose) }
    }
    return nil
  }

  /// Returns the change for a typed text; nil if it changes nothing.
  private func change(_ text: String, _ purpose: Mode.Purpose, _ board: Board) -> BoardChange? {
    switch purpose {
    case .add(let column): return text.isEmpty ? nil : .add(text, to: column)
    case .edit(let card):
      guard !text.isEmpty else { return nil }
      // The typed text isn't lost if another person has removed the card in the meantime.
      guard let now = board[card.id] else { return .add(text, to: card.column) }
      return text == now.text ? nil : .edit(card.id, text: text)
    case .assign(let card):
      let name = text.isEmpty ? nil : text
      guard let now = board[card.id], now.assignee != name else { return nil }
      return .assign(card.id, to: name)
    }
  }

  private static func name(after name: String, in names: [String]) -> String {
    guard let index = names.firstIndex(of: name) else { return names.first ?? name }
    return names[(index + 1) % names.count]
  }
}
