package import Foundation

/// The message by which a person tells all others now and then that she is there.
package struct Presence: Codable, Equatable, Sendable {
  /// An id of the running program: several people may have one name.
  package let program: UUID
  package let name: String

  /// The card that the person looks at.
  package var card: Card.ID?

  /// `true` if the person goes.
  package var isLeaving = false

  package init(program: UUID, name: String) {
    self.program = program
    self.name = name
  }
}
