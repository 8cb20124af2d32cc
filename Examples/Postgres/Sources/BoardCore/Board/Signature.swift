package import Foundation

/// The signature of a change: its author, its time, and a unique id.
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
