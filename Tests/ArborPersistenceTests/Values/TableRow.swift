import ArborEntities
import TestSupport

/// A record whose tables have an index of each kind.
struct TableRow: Identifiable, Codable, Equatable, Sendable {
  var id: TypedID<TableRow, Int>
  var group: Int?
  var rank: Int
  var code: Int?
}

extension TableRow: UniquelyIndexedEntity {
  static let byRank = SortedIndex(\TableRow.rank)
  static let byRankDown = SortedIndex(\TableRow.rank, by: >)
  static let groups = GroupedIndex(\TableRow.group)
  static let rankedGroups = GroupedIndex(\TableRow.group, sortedBy: \.rank)
  static let orderedGroups = GroupedIndex(\TableRow.group) { $0.rank > $1.rank }
  static let byCode = UniqueIndex(\TableRow.code)
  static let shelf = ManualOrder<TableRow>("shelf")

  static var indexes: [any EntityIndex<TableRow>] {
    [byRank, byRankDown, groups, rankedGroups, orderedGroups, byCode, shelf]
  }
}

extension EntityTable<TableRow> {
  /// Does something by chance. Returns the result.
  mutating func change(using random: inout SplitMix64) -> String {
    func number(_ range: Range<Int> = 0..<8) -> Int { Int.random(in: range, using: &random) }
    func id() -> TableRow.ID { TypedID(number()) }
    func row() -> TableRow {
      let code = number(0..<6)
      return TableRow(id: id(), group: number(-1..<4), rank: number(0..<4), code: code == 0 ? nil : code)
    }
    do {
      switch number(0..<15) {
      case 0, 1: try insert(row())
      case 2: try upsert(row())
      case 3: try insert(contentsOf: [row(), row()])
      case 4:
        let rank = number()
        try update(id()) { $0.rank = rank }
      case 5, 6:
        let group = number(-1..<4)
        try update(id()) { $0.group = group < 0 ? nil : group }
      case 7:
        let code = number(0..<4)
        try update(id()) { $0.code = code }
      case 8: return "\(remove(id()) as Any)"
      case 9:
        let rank = number()
        return "\(removeAll { $0.rank == rank })"
      case 10: try rename(Dictionary([(id(), id()), (id(), id())]) { $1 }) { $0.id = $1 }
      case 11: try insert(id(), at: number(0..<4), in: TableRow.shelf)
      case 12: try move(id(), to: number(0..<4), in: TableRow.shelf)
      case 13: try move([id(), id()], before: number() < 4 ? id() : nil, in: TableRow.shelf)
      default:
        let offset = number(0..<3)
        try updateAll { $0.group = $0.group.map { ($0 + offset) % 4 } }
      }
      return "done"
    } catch {
      return "\(error)"
    }
  }

  /// The answers to all that can be asked of a table.
  var answers: [String] {
    let ids = (0..<8).map { TableRow.ID($0) }
    return [
      description, "\(count) \(isEmpty)", "\(Array(self.ids))", "\(ids.map { self[$0] })",
      "\(find(in: ids))", "\(ids.map { contains(id: $0) })",
      "\(self[TableRow.byRank])", "\(self[TableRow.byRank, 1..<3])", "\(self[TableRow.byRankDown])",
      "\(self[TableRow.byRankDown, from: 2, through: 1])",
      "\(keys(of: TableRow.groups))", "\(keys(of: TableRow.rankedGroups))", "\(keys(of: TableRow.orderedGroups))",
      "\((0..<4).map { self[TableRow.groups, $0] })", "\((0..<4).map { self[TableRow.rankedGroups, $0] })",
      "\((0..<4).map { self[TableRow.orderedGroups, $0] })", "\((0..<6).map { self[TableRow.byCode, $0] })",
      "\(self[TableRow.shelf])", "\(Array(Mirror(reflecting: self).children))",
      "\(filter { $0.rank > 1 })", "\(difference(from: EntityTable()))", "\(EntityTable().difference(from: self))",
    ]
  }
}
