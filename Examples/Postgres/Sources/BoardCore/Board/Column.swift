/// A column of the board. The cases are in order from left to right.
package enum Column: String, CaseIterable, Codable, Sendable {
  case todo, doing, done

  /// The heading.
  package var title: String {
    switch self {
    case .todo: "To do"
    case .doing: "Doing"
    case .done: "Done"
    }
  }

  /// The column to the left; nil if there is none.
  package var left: Column? {
    switch self {
    case .todo: nil
    case .doing: .todo
    case .done: .doing
    }
  }

  /// The column to the right; nil if there is none.
  package var right: Column? {
    switch self {
    case .todo: .doing
    case .doing: .done
    case .done: nil
    }
  }
}
