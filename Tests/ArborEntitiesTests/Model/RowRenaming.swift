/// The behavior of a closure that should give a record a new id.
enum RowRenaming: Sendable {
  case id
  case idAndRank
  case nothing
  case refuse(ModelID)

  func apply(to row: inout Row, _ id: ModelID) throws {
    switch self {
    case .id: row.id = id
    case .idAndRank:
      row.id = id
      row.rank = (row.rank + 7) % 50
    case .nothing: break
    case .refuse(let refused):
      if row.id == refused { throw Refusal() }
      row.id = id
    }
  }
}
