/// The state of the interface, which isn't shared: the selection and the typed text.
///
/// - It is a state machine: a key changes it, and may return a request.
package struct Interface: Equatable, Sendable {
  package internal(set) var mode = Mode.browsing

  /// The selected column.
  package internal(set) var column = Column.todo

  /// The selected card in each column.
  var selected: [Column: Card.ID] = [:]

  package init() {}

  /// Returns the selected card; nil if the column has none.
  package func card(on board: Board) -> Card? { card(in: column, on: board) }

  /// Returns the card that is selected when a column is.
  package func card(in column: Column, on board: Board) -> Card? {
    let cards = board.cards(in: column)
    return cards.first { $0.id == selected[column] } ?? cards.first
  }

  /// Changes the selection if the selected card has moved or is gone.
  package mutating func follow(_ board: Board, after old: Board) {
    for column in Column.allCases {
      guard let id = selected[column], board[id]?.column != column else { continue }
      let row = old.cards(in: column).firstIndex { $0.id == id } ?? 0
      let cards = board.cards(in: column)
      selected[column] = cards.isEmpty ? nil : cards[min(row, cards.count - 1)].id
    }
  }

  /// Selects the card that one of the client's own actions has added or moved.
  package mutating func follow(_ action: BoardAction) {
    switch action.change {
    case .add(_, let column):
      self.column = column
      selected[column] = action.signature?.id
    case .move(let id, let column, _):
      self.column = column
      selected[column] = id
    case .edit, .assign, .remove: break
    }
  }

  /// Handles a key.
  ///
  /// - Parameter names: The names of the people to whom a card can be assigned.
  package mutating func press(_ key: Key, on board: Board, names: [String]) -> Request? {
    switch key {
    case .control("l"): return .redraw
    case .control("z"): return .suspend
    default: break
    }
    switch mode {
    case .browsing: return browse(key, board, names)
    case .typing(let field, let purpose): return type(key, into: field, purpose, board, names)
    case .removing(let card):
      mode = .browsing
      return key == .character("y") ? .change(.remove(card.id)) : nil
    case .help:
      mode = .browsing
      return key == .control("c") ? .quit : nil
    }
  }
}
