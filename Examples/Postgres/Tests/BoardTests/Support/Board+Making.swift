import BoardCore
import Foundation

extension Signature {
  /// Makes a signature whose id and time are derived from a number.
  static func number(_ number: Int, by author: String = "Ann") -> Signature {
    Signature(author: author, date: Date(timeIntervalSinceReferenceDate: Double(number)), id: .number(number))
  }
}

extension UUID {
  /// Makes an id from a number.
  static func number(_ number: Int) -> UUID {
    UUID(uuidString: "00000000-0000-0000-0000-\(String(format: "%012d", number))") ?? UUID()
  }
}

extension Board {
  /// Makes the board that results from changes, each signed with its number, starting at 1.
  static func after(_ changes: BoardChange..., by author: String = "Ann") -> Board {
    var board = Board()
    for (index, change) in changes.enumerated() { board.apply(change, .number(index + 1, by: author)) }
    return board
  }

  /// Makes a board with cards in the first column.
  static func of(_ texts: String...) -> Board {
    var board = Board()
    for (index, text) in texts.enumerated() { board.apply(.add(text, to: .todo), .number(index + 1)) }
    return board
  }

  mutating func apply(_ change: BoardChange, _ signature: Signature) {
    boardReducer(&self, BoardAction(change, by: signature))
  }

  /// Returns the texts of a column, from top to bottom.
  func texts(in column: Column) -> [String] { cards(in: column).map(\.text) }
}
