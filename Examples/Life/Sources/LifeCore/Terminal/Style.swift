/// The look of a text in a terminal, by the parameters of its control sequence.
enum Style: String {
  case faint = "2"
  case title = "1;36"
  case alive = "32"
  case past = "33"
  case mark = "1;35"

  /// Returns a text in this style.
  func callAsFunction(_ text: String) -> String {
    text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
  }
}
