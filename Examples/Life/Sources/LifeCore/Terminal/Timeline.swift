/// The recording as a line, with the shown moment and the interferences.
enum Timeline {
  /// - Parameters:
  ///   - width: The number of characters, at least 3.
  static func text(of moment: Moment, width: Int) -> String {
    var characters = Array(repeating: Character("─"), count: width)
    func place(_ position: Int) -> Int { moment.count == 0 ? width - 1 : position * (width - 1) / moment.count }
    for interference in moment.interferences {
      characters[place(interference.position)] = interference.isLeftOut ? "◇" : "◆"
    }
    characters[place(moment.position)] = moment.isPast ? "▲" : "●"
    return String(characters)
  }
}
