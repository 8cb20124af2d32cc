/// The number of rows of each part of the screen. With fewer rows, there are fewer parts.
struct Layout: Equatable {
  var hasTitle = false
  var hasHeadings = false
  var hasRule = false

  /// The rows of the cards.
  var cards = 0

  /// The rows with details of the selected card.
  var details = 0

  /// The rows of a message, a question, or typed text.
  var message = 0
  var hasStatus = false
  var hasKeys = false

  /// - Parameter message: The preferred number of rows of a message.
  init(rows: Int, message wanted: Int) {
    var rest = rows
    func take(_ count: Int, ifAtLeast least: Int) -> Int {
      guard rows >= least, rest >= count else { return 0 }
      rest -= count
      return count
    }
    // The message gets its rows first, so that typed text is always visible.
    message = take(rows >= 8 ? max(wanted, 1) : min(wanted, 1), ifAtLeast: 1)
    hasStatus = take(1, ifAtLeast: 2) > 0
    hasHeadings = take(1, ifAtLeast: 4) > 0
    hasKeys = take(1, ifAtLeast: 5) > 0
    hasTitle = take(1, ifAtLeast: 6) > 0
    hasRule = take(1, ifAtLeast: 12) > 0
    details = take(4, ifAtLeast: 16)
    cards = rest
  }
}
