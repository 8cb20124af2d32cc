/// A sentence about own changes that have a different result, because other people's changes came first.
enum RebaseNote {
  /// Returns the sentence.
  ///
  /// - Parameters:
  ///   - before: The previously shown board.
  ///   - after: The board shown now.
  ///   - count: The number of own changes that have moved after other people's changes.
  ///   - name: The name of this person.
  static func text(from before: Board, to after: Board, changes count: Int, by name: String) -> String {
    // The moved changes are the latest ones: they have left their signatures on at most as many cards.
    let own = before.cards.filter { $0.changed.author == name }.sorted { $0.changed.date > $1.changed.date }
    for card in own.prefix(count) {
      let text = "“\(TerminalText(card.text, atMost: 30).text)”"
      guard let now = after[card.id] else { return "\(text), which you changed, was removed in the meantime" }
      if now.changed != card.changed { return "\(text) is as \(now.changed.author) left it" }
    }
    return count == 1
      ? "one of your changes was applied after other people's changes"
      : "\(count) of your changes were applied after other people's changes"
  }
}
