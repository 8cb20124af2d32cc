/// The state that all clients share: the cards.
package struct Board: Codable, Equatable, Sendable {
  /// All cards. Cards in the same column are in the order of the column.
  package private(set) var cards: [Card] = []

  package init() {}

  /// Returns the cards of a column, from top to bottom.
  package func cards(in column: Column) -> [Card] { cards.filter { $0.column == column } }

  package subscript(id: Card.ID) -> Card? { cards.first { $0.id == id } }
}

extension Board {
  /// Adds a card at the end of its column, unless it already exists.
  mutating func add(_ card: Card) {
    guard !card.text.isEmpty, self[card.id] == nil else { return }
    cards.append(card)
  }

  /// Changes a card, and signs it if the change has made a difference.
  mutating func change(_ id: Card.ID, by signature: Signature, _ body: (inout Card) -> Void) {
    guard let index = cards.firstIndex(where: { $0.id == id }) else { return }
    var card = cards[index]
    body(&card)
    guard card != cards[index] else { return }
    card.changed = signature
    cards[index] = card
  }

  /// Moves a card in front of a neighbor, or to the end of the column if the neighbor isn't in it.
  mutating func move(_ id: Card.ID, to column: Column, before neighbor: Card.ID?, by signature: Signature) {
    guard let index = cards.firstIndex(where: { $0.id == id }), neighbor != id else { return }
    let ids = cards(in: column).map(\.id)
    var card = cards.remove(at: index)
    card.column = column
    let place = neighbor.flatMap { neighbor in cards.firstIndex { $0.id == neighbor && $0.column == column } }
    cards.insert(card, at: place ?? cards.endIndex)
    // Moving a card to its own position doesn't change it.
    if cards(in: column).map(\.id) != ids { change(id, by: signature) { $0.changed = signature } }
  }

  mutating func remove(_ id: Card.ID) {
    cards.removeAll { $0.id == id }
  }
}
