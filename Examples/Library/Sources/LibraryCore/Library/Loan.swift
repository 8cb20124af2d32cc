import ArborEntities

/// A lent book. A book is lent to one person at a time, so its id is the id of the loan.
struct Loan: Identifiable, Equatable, Sendable, Codable {
  let id: Book.ID
  let person: String
  let due: Day
}

extension Loan: IndexedEntity {
  static let byDue = SortedIndex(\Loan.due)

  static var indexes: [any EntityIndex<Loan>] { [byDue] }
}
