/// A change of the board.
///
/// - It identifies cards by their ids, not their positions, because others may change the board before it reaches the log.
package enum BoardChange: Codable, Equatable, Sendable {
  /// Adds a card at the end of a column.
  case add(String, to: Column)

  /// Replaces the text of a card.
  case edit(Card.ID, text: String)

  /// Assigns a card to a person; to no one if the name is nil.
  case assign(Card.ID, to: String?)

  /// Moves a card in front of a neighbor; to the end of the column if there is none, or if it no longer exists.
  case move(Card.ID, to: Column, before: Card.ID?)

  case remove(Card.ID)

  /// The changed card; nil if a card is added.
  package var card: Card.ID? {
    switch self {
    case .add: nil
    case .edit(let id, _), .assign(let id, _), .move(let id, _, _), .remove(let id): id
    }
  }
}

/// The action of the shared store: a change, and its signature, which is added when it is dispatched.
package struct BoardAction: Codable, Equatable, Sendable {
  package let change: BoardChange

  /// The signature; nil before an interceptor has signed it.
  package let signature: Signature?

  package init(_ change: BoardChange, by signature: Signature? = nil) {
    self.change = change
    self.signature = signature
  }
}
