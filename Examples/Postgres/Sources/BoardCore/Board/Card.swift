package import Foundation

/// A card of the board.
package struct Card: Codable, Equatable, Identifiable, Sendable {
  package var text: String
  package var column: Column

  /// The name of the one who does it; nil if that is nobody yet.
  package var assignee: String?

  /// The signature of the one who has added it.
  package let added: Signature

  /// The signature of the last change.
  package var changed: Signature

  package init(_ text: String, in column: Column, by signature: Signature) {
    self.text = text
    self.column = column
    (added, changed) = (signature, signature)
  }

  /// The id of the change that has added it.
  package var id: UUID { added.id }
}
