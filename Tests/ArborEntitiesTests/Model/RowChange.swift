/// A change that a closure makes to a record.
enum RowChange: Sendable {
  case nothing
  case rank(Int)
  case group(Int)
  case title(Int)
  case code(Int)

  /// Swaps codes in pairs: this works for all records at once, but rarely for a single one.
  case exchangeCodes

  /// Throws when it reaches a record.
  case refuse(ModelID)

  /// Gives a record another id.
  case otherID(ModelID, instead: ModelID)

  func apply(to row: inout Row) throws {
    switch self {
    case .nothing: break
    case .rank(let distance): row.rank = (row.rank + distance) % 50
    case .group(let distance): row.group = (row.rank + distance) % 9 - 1
    case .title(let number): row.title = "title \((row.id.number + number) % 20)"
    case .code(let code): row.code = code
    case .exchangeCodes: row.code = row.code < 0 ? row.code : row.code ^ 1
    case .refuse(let id): if row.id == id { throw Refusal() }
    case .otherID(let id, let other): if row.id == id { row.id = other }
    }
  }
}
