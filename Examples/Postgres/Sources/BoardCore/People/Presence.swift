package import Foundation

/// A message that reports regularly that a person is present.
package struct Presence: Codable, Equatable, Sendable {
  /// The id of the running program, because several people may have the same name.
  package let program: UUID
  package let name: String

  /// The card that the person has selected.
  package var card: Card.ID?

  /// `true` if the person is leaving.
  package var isLeaving = false

  package init(program: UUID, name: String) {
    self.program = program
    self.name = name
  }
}
