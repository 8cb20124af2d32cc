extension Interface {
  /// The number of cards that a page key moves by.
  private static let page = 10

  mutating func browse(_ key: Key, _ board: Board, _ names: [String]) -> Request? {
    switch key {
    case .arrow(let direction, isShifted: false): select(direction, board)
    case .arrow(let direction, isShifted: true): return move(direction, board)
    case .tab: column = column.right ?? .todo
    case .backTab: column = column.left ?? .done
    case .home: select(by: -.max, board)
    case .end: select(by: .max, board)
    case .pageUp: select(by: -Self.page, board)
    case .pageDown: select(by: Self.page, board)
    case .enter: edit(board)
    case .delete: remove(board)
    case .paste(let text): mode = .typing(TextField(text), .add(column))
    case .control("c"): return .quit
    case .character(let character): return browse(character, board, names)
    default: break
    }
    return nil
  }

  private mutating func browse(_ character: Character, _ board: Board, _ names: [String]) -> Request? {
    switch character {
    case "h": select(.left, board)
    case "j": select(.down, board)
    case "k": select(.up, board)
    case "l": select(.right, board)
    case "H": return move(.left, board)
    case "J": return move(.down, board)
    case "K": return move(.up, board)
    case "L": return move(.right, board)
    case "g": select(by: -.max, board)
    case "G": select(by: .max, board)
    case "a": mode = .typing(TextField(), .add(column))
    case "e": edit(board)
    case "s": assign(board, names)
    case "d", "x": remove(board)
    case "?": mode = .help
    case "q": return .quit
    default: break
    }
    return nil
  }

  // MARK: Selecting

  private mutating func select(_ direction: Key.Direction, _ board: Board) {
    switch direction {
    case .left: column = column.left ?? column
    case .right: column = column.right ?? column
    case .up: select(by: -1, board)
    case .down: select(by: 1, board)
    }
  }

  /// Selects the card a number of rows below, or the last one.
  private mutating func select(by rows: Int, _ board: Board) {
    let cards = board.cards(in: column)
    guard let row = row(in: cards, board) else { return }
    let (target, isTooGreat) = row.addingReportingOverflow(rows)
    selected[column] = cards[isTooGreat ? cards.count - 1 : min(max(target, 0), cards.count - 1)].id
  }

  private func row(in cards: [Card], _ board: Board) -> Int? {
    card(on: board).flatMap { card in cards.firstIndex { $0.id == card.id } }
  }

  // MARK: Changing

  private func move(_ direction: Key.Direction, _ board: Board) -> Request? {
    let cards = board.cards(in: column)
    guard let row = row(in: cards, board) else { return nil }
    let id = cards[row].id
    switch direction {
    case .left: return column.left.map { .change(.move(id, to: $0, before: nil)) }
    case .right: return column.right.map { .change(.move(id, to: $0, before: nil)) }
    case .up: return row > 0 ? .change(.move(id, to: column, before: cards[row - 1].id)) : nil
    case .down:
      guard row + 1 < cards.count else { return nil }
      return .change(.move(id, to: column, before: row + 2 < cards.count ? cards[row + 2].id : nil))
    }
  }

  private mutating func edit(_ board: Board) {
    guard let card = card(on: board) else { return }
    mode = .typing(TextField(card.text), .edit(card))
  }

  private mutating func assign(_ board: Board, _ names: [String]) {
    guard let card = card(on: board) else { return }
    mode = .typing(TextField(card.assignee ?? names.first ?? ""), .assign(card))
  }

  private mutating func remove(_ board: Board) {
    guard let card = card(on: board) else { return }
    mode = .removing(card)
  }
}
