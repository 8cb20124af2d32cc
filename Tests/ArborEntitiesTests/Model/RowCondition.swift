/// A condition that a closure checks for a record.
enum RowCondition: Sendable {
  case always
  case never
  case rankBelow(Int)
  case refuse(ModelID)

  func holds(for row: Row) throws -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .rankBelow(let rank): return row.rank < rank
    case .refuse(let id):
      if row.id == id { throw Refusal() }
      return true
    }
  }
}
