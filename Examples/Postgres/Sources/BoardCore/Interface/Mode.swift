/// The thing that the person does with the keys.
package enum Mode: Equatable, Sendable {
  /// Goes through the cards.
  case browsing

  /// Types a text.
  case typing(TextField, Purpose)

  /// Is asked whether a card is to be removed.
  case removing(Card)

  /// Reads which keys there are.
  case help

  /// The thing that a typed text is for.
  package enum Purpose: Equatable, Sendable {
    case add(Column)

    /// The text of a card, which is kept as it was.
    case edit(Card)

    /// The name of the one who is to do a card.
    case assign(Card)
  }
}

/// The thing that a key asks for.
package enum Request: Equatable, Sendable {
  /// To dispatch an action.
  case change(BoardChange)

  /// To draw everything anew.
  case redraw

  /// To stop until the shell lets the program go on.
  case suspend
  case quit
}
