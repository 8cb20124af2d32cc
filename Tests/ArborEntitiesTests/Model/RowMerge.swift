/// A merge that a closure makes of a known record with another one of the same id.
enum RowMerge: Sendable {
  case replace
  case keepTitle
  case refuse(ModelID)
  case otherID(ModelID, instead: ModelID)

  func apply(to known: inout Row, _ row: Row) throws {
    switch self {
    case .replace: known = row
    case .keepTitle:
      let title = known.title
      known = row
      known.title = title
    case .refuse(let id): if row.id == id { throw Refusal() }
    case .otherID(let id, let other): if row.id == id { known.id = other }
    }
  }
}
