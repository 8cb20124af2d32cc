/// The state of the interface, which is this client's alone: what is selected, and what is typed.
///
/// - It is a machine: a key changes it, and may ask for something.
package struct Interface: Equatable, Sendable {
  package internal(set) var mode = Mode.browsing

  /// The column that is selected.
  package internal(set) var column = Column.todo

  /// The card that is selected in each column.
  var selected: [Column: Card.ID] = [:]

  package init() {}

  /// The card that is selected; nil if the column has none.
  package func card(on board: Board) -> Card? { card(in: column, on: board) }

  /// The card of a column that is selected when the column is.
  package func card(in column: Column, on board: Board) -> Card? {
    let cards = board.cards(in: column)
    return cards.first { $0.id == selected[column] } ?? cards.first
  }

  /// Selects something in place of what is not where it was.
  package mutating func follow(_ board: Board, after old: Board) {
    for column in Column.allCases {
      guard let id = selected[column], board[id]?.column != column else { continue }
      let row = old.cards(in: column).firstIndex { $0.id == id } ?? 0
      let cards = board.cards(in: column)
      selected[column] = cards.isEmpty ? nil : cards[min(row, cards.count - 1)].id
    }
  }

  /// Selects the card that an own action has added, or moved.
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

  /// Takes a key.
  ///
  /// - Parameter names: The names of those who may do a card.
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
