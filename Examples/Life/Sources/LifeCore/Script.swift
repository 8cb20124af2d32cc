/// A game without a terminal: frames, and keys between them.
enum Script {
  /// Plays a script, to its end or to the key that ends the game.
  ///
  /// - Throws: ``ScriptError`` with the first word that is neither a number of frames nor a key. Everything before it
  ///   is played.
  static func play(_ script: String, in game: Game) throws(ScriptError) {
    for word in script.split(separator: " ") {
      if word.count > 1, let frames = Int(word), frames >= 0 {
        for _ in 0..<frames { game.advance() }
        // Reading the moment waits for the frames, so that the actions of a long script do not accumulate.
        _ = game.moment
      } else if let command = command(of: word) {
        if command == .quit { return }
        game.perform(command)
      } else {
        throw ScriptError(word: String(word))
      }
    }
  }

  private static func command(of word: Substring) -> Command? {
    let keys =
      switch word {
      case "LEFT": "\u{1B}[D"
      case "RIGHT": "\u{1B}[C"
      case "ENTER": "\r"
      case "SPACE": " "
      default: word.count == 1 ? String(word) : ""
      }
    return Key.commands(in: keys.utf8).first
  }
}

/// An invalid word in a script.
struct ScriptError: Error, CustomStringConvertible {
  let word: String

  var description: String { "'\(word)' is neither a key nor a number of frames, which has at least two digits" }
}
