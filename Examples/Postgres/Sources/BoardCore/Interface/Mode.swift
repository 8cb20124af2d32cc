/// The current activity of the person.
package enum Mode: Equatable, Sendable {
  /// Browsing the cards.
  case browsing

  /// Typing a text.
  case typing(TextField, Purpose)

  /// Confirming the removal of a card.
  case removing(Card)

  /// Reading the list of keys.
  case help

  /// The purpose of a typed text.
  package enum Purpose: Equatable, Sendable {
    case add(Column)

    /// The text of a card, which is stored as it was before the edit.
    case edit(Card)

    /// The name of the person to whom a card is assigned.
    case assign(Card)
  }
}

/// A request that a key makes.
package enum Request: Equatable, Sendable {
  /// Dispatch an action.
  case change(BoardChange)

  /// Draw everything again.
  case redraw

  /// Stop until the shell continues the program.
  case suspend
  case quit
}
