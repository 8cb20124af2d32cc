package import Foundation

/// A card of the board.
package struct Card: Codable, Equatable, Identifiable, Sendable {
  package var text: String
  package var column: Column

  /// The name of the assigned person; nil if there is none yet.
  package var assignee: String?

  /// The signature of the person who added the card.
  package let added: Signature

  /// The signature of the last change.
  package var changed: Signature

  package init(_ text: String, in column: Column, by signature: Signature) {
    self.text = text
    self.column = column
    (added, changed) = (signature, signature)
  }

  /// The id of the change that added the card.
  package var id: UUID { added.id }
}
