/// A hint about a key, in the last row and in the help.
struct KeyHint: Equatable {
  let key: String
  let meaning: String

  private init(_ key: String, _ meaning: String) {
    (self.key, self.meaning) = (key, meaning)
  }

  /// Returns the hints of a mode, the most important first.
  static func hints(in mode: Mode) -> [KeyHint] {
    switch mode {
    case .browsing:
      [
        KeyHint("a", "add"), KeyHint("e", "edit"), KeyHint("?", "help"), KeyHint("q", "quit"), KeyHint("s", "assign"),
        KeyHint("d", "delete"), KeyHint("↑↓←→", "select"), KeyHint("shift+↑↓←→", "move"),
      ]
    case .typing(_, .assign):
      [KeyHint("enter", "save"), KeyHint("esc", "cancel"), KeyHint("tab", "next name"), KeyHint("ctrl+u", "no one")]
    case .typing: [KeyHint("enter", "save"), KeyHint("esc", "cancel"), KeyHint("ctrl+u", "clear")]
    case .removing: [KeyHint("y", "remove"), KeyHint("any other key", "keep")]
    case .help: [KeyHint("any key", "back")]
    }
  }

  static let all = [
    KeyHint("↑↓←→, hjkl", "select a card or a column"),
    KeyHint("shift+↑↓←→, HJKL", "move the card"),
    KeyHint("a", "add a card to the column"),
    KeyHint("e, enter", "edit the text"),
    KeyHint("s", "assign the card"),
    KeyHint("d, x", "delete the card"),
    KeyHint("g, G", "select the first or last card"),
    KeyHint("ctrl+l", "redraw everything"),
    KeyHint("q, ctrl+c", "quit"),
    KeyHint("~", "a change that is not confirmed yet"),
    KeyHint("◂Ben", "the card that Ben has selected"),
    KeyHint("@Ben", "a card assigned to Ben"),
  ]
}
