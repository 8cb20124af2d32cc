/// The number of rows that each part of the screen gets: the less there are, the fewer parts.
struct Layout: Equatable {
  var hasTitle = false
  var hasHeadings = false
  var hasRule = false

  /// The rows of the cards.
  var cards = 0

  /// The rows that tell more of the card that is selected.
  var details = 0

  /// The rows of a message, of a question, or of what is typed.
  var message = 0
  var hasStatus = false
  var hasKeys = false

  /// - Parameter message: The rows that a message would like to have.
  init(rows: Int, message wanted: Int) {
    var rest = rows
    func take(_ count: Int, ifAtLeast least: Int) -> Int {
      guard rows >= least, rest >= count else { return 0 }
      rest -= count
      return count
    }
    // The message's rows come first, so that a text is never out of sight while somebody types it.
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
