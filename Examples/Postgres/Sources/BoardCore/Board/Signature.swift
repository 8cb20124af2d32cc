package import Foundation

/// The signature under a change: who has made it, when, and an id that no other change has.
package struct Signature: Codable, Hashable, Sendable {
  package let author: String
  package let date: Date
  package let id: UUID

  package init(author: String, date: Date, id: UUID) {
    self.author = author
    self.date = date
    self.id = id
  }
}
