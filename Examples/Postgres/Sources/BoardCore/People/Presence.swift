package import Foundation

/// The message by which a person regularly reports being present.
package struct Presence: Codable, Equatable, Sendable {
  /// The id of the running program, because several people may have the same name.
  package let program: UUID
  package let name: String

  /// The card at which the person is.
  package var card: Card.ID?

  /// `true` if the person is leaving.
  package var isLeaving = false

  package init(program: UUID, name: String) {
    self.program = program
    self.name = name
  }
}
