/// A part of a row in one style. It is harmless for any text, and never wider than requested.
package struct Span: Equatable, Sendable {
  package let text: String
  package let width: Int
  package let style: Style

  /// - Parameter width: The width at which the text is cut.
  package init(_ text: some StringProtocol, _ style: Style = .plain, atMost width: Int = 1000) {
    let shown = TerminalText(text, atMost: width)
    (self.text, self.width, self.style) = (shown.text, shown.width, style)
  }

  /// Makes a gap.
  static func gap(_ width: Int, _ style: Style = .plain) -> Span {
    Span(String(repeating: " ", count: max(width, 0)), style)
  }
}

/// The look of a span.
package enum Style: Sendable {
  case plain, strong, faint, selected, good, careful, bad, person

  /// Returns the parameters of the sequence that selects the style.
  ///
  /// - Parameter hasColors: `false` to use no colors.
  package func parameters(hasColors: Bool) -> String {
    switch self {
    case .plain: ""
    case .strong: "1"
    case .faint: "2"
    case .selected: "7"
    case .good: hasColors ? "32" : ""
    case .careful: hasColors ? "33" : "1"
    case .bad: hasColors ? "1;31" : "1;7"
    case .person: hasColors ? "36" : ""
    }
  }
}
