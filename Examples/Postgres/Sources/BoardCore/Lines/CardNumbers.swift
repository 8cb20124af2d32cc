/// The numbers that identify cards in line mode.
///
/// - A card gets its number when it is first seen, and keeps it. So a number never refers to another card, no matter how other
///   people add, move and remove cards.
struct CardNumbers {
  private var numbers: [Card.ID: Int] = [:]
  private var ids: [Card.ID] = []

  /// Returns the number of a card.
  mutating func number(of card: Card.ID) -> Int {
    if let number = numbers[card] { return number }
    ids.append(card)
    numbers[card] = ids.count
    return ids.count
  }

  /// Gives numbers to all cards of a board, column by column.
  mutating func see(_ board: Board) {
    for column in Column.allCases {
      for card in board.cards(in: column) { _ = number(of: card.id) }
    }
  }

  /// Returns the card with a number; nil if the board doesn't have it.
  func card(_ number: Int, on board: Board) -> Card? {
    ids.indices.contains(number - 1) ? board[ids[number - 1]] : nil
  }
}
