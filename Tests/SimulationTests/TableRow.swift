import ArborEntities

/// A record of the table in a root's state.
struct TableRow: Identifiable, Equatable, Sendable {
  var id: Int
  var value = 0

  /// The records before the first action.
  static let first = [TableRow(id: 0), TableRow(id: 1)]

  /// The table before the first action.
  static let firstTable = try! EntityTable(first)
}

/// The change that an action makes to the table, derived from its number.
enum TableVerb {
  /// Inserts the record if it is missing.
  case add(Int, to: Int)
  case remove(Int)

  /// Does nothing without such a record, or if there is already one with the new id.
  case rename(Int, to: Int)
  case nothing

  init(of action: Int32) {
    let (id, rest) = (Int(action % 4), Int(action / 4))
    switch rest % 5 {
    case 0, 1: self = .add(rest / 5 % 2, to: id)
    case 2: self = .remove(id)
    case 3: self = .rename(id, to: (id + 1) % 4)
    default: self = .nothing
    }
  }
}

extension EntityTable<TableRow> {
  mutating func change(_ verb: TableVerb) {
    switch verb {
    case .add(let number, let id): try! upsert(TableRow(id: id, value: (find(id)?.value ?? 0) + number))
    case .remove(let id): remove(id)
    case .rename(let id, let new):
      if contains(id: id), !contains(id: new) { try! rename([id: new]) { $0.id = $1 } }
    case .nothing: break
    }
  }
}
