import ArborEntities
import TestSupport

/// A record whose tables have an index of each kind. Its texts can have two normal forms, which are equal.
struct TableRow: Identifiable, Codable, Sendable {
  var id: TypedID<TableRow, String>
  var group: String?
  var rank: Int
  var code: String?

  /// A number that `==` ignores.
  var note = 0
}

extension TableRow: Equatable {
  static func == (left: TableRow, right: TableRow) -> Bool {
    left.id == right.id && left.group == right.group && left.rank == right.rank && left.code == right.code
  }
}

extension TableRow: CustomStringConvertible {
  /// The properties that `==` compares.
  var description: String { "(\(id), \(group as Any), \(rank), \(code as Any))" }
}

/// A range of the texts in the shorter normal form.
private struct ShortForms: RangeExpression {
  func contains(_ text: String) -> Bool { text.utf8.first != UInt8(ascii: "e") }

  func relative<Texts: Collection>(to texts: Texts) -> Range<String> where Texts.Index == String {
    texts.startIndex..<texts.endIndex
  }
}

extension TableRow: UniquelyIndexedEntity {
  static let byRank = SortedIndex(\TableRow.rank)
  static let byID = SortedIndex(\TableRow.id.rawValue)
  static let byRankDown = SortedIndex(\TableRow.rank, by: >)
  static let groups = GroupedIndex(\TableRow.group)
  static let rankedGroups = GroupedIndex(\TableRow.group, sortedBy: \.rank)
  static let orderedGroups = GroupedIndex(\TableRow.group) { $0.rank > $1.rank }
  static let byCode = UniqueIndex(\TableRow.code)
  static let shelf = ManualOrder<TableRow>("shelf")

  static var indexes: [any EntityIndex<TableRow>] {
    [byRank, byID, byRankDown, groups, rankedGroups, orderedGroups, byCode, shelf]
  }
}

extension EntityTable<TableRow> {
  /// Performs a random change. Returns the result.
  mutating func change(using random: inout SplitMix64) -> String {
    func number(_ range: Range<Int> = 0..<8) -> Int { Int.random(in: range, using: &random) }
    func text(_ range: Range<Int>) -> String { (number(0..<2) == 0 ? "\u{E9}" : "e\u{301}") + "\(number(range))" }
    func id() -> TableRow.ID { TypedID(text(0..<8)) }
    func group() -> String? { number(0..<5) == 0 ? nil : text(0..<4) }
    func row() -> TableRow {
      let code = number(0..<6) == 0 ? nil : text(1..<6)
      return TableRow(id: id(), group: group(), rank: number(0..<4), code: code, note: number())
    }
    do {
      switch number(0..<16) {
      case 0, 1: try insert(row())
      case 2: try upsert(row())
      case 3: try insert(contentsOf: [row(), row()])
      case 4:
        let rank = number()
        try update(id()) { $0.rank = rank }
      case 5, 6:
        let group = group()
        try update(id()) { $0.group = group }
      case 7:
        let code = text(0..<4)
        try update(id()) { $0.code = code }
      case 8: return "\(remove(id()) as Any)"
      case 9:
        let rank = number()
        return "\(removeAll { $0.rank == rank })"
      case 10: try rename(Dictionary([(id(), id()), (id(), id())]) { $1 }) { $0.id = $1 }
      case 11: try insert(id(), at: number(0..<4), in: TableRow.shelf)
      case 12: try move(id(), to: number(0..<4), in: TableRow.shelf)
      case 13: try move([id(), id()], before: number() < 4 ? id() : nil, in: TableRow.shelf)
      case 14:
        let note = number()
        try update(id()) { $0.note = note }
      default:
        let group = group()
        try updateAll { if $0.group != nil { $0.group = group } }
      }
      return "done"
    } catch {
      return "\(error)"
    }
  }

  /// Everything that can be read from a table, as texts.
  var answers: [String] {
    let ids = (0..<8).map { TableRow.ID("\u{E9}\($0)") }
    let groups = (0..<4).map { "e\u{301}\($0)" }
    let codes = (0..<6).map { "e\u{301}\($0)" }
    return [
      description, "\(count) \(isEmpty)", "\(Array(self.ids))", "\(ids.map { self[$0] })",
      "\(find(in: ids))", "\(ids.map { contains(id: $0) })",
      "\(self[TableRow.byID])", "\(self[TableRow.byID, "\u{E9}1"..<"\u{E9}4"])",
      "\(self[TableRow.byRank])", "\(self[TableRow.byRank, 1..<3])", "\(self[TableRow.byRankDown])",
      "\(self[TableRow.byRankDown, from: 2, through: 1])",
      "\(keys(of: TableRow.groups))", "\(keys(of: TableRow.rankedGroups))", "\(keys(of: TableRow.orderedGroups))",
      "\(groups.map { self[TableRow.groups, $0] })", "\(groups.map { self[TableRow.rankedGroups, $0] })",
      "\(groups.map { self[TableRow.orderedGroups, $0] })", "\(codes.map { self[TableRow.byCode, $0] })",
      "\(self[TableRow.shelf])", "\(Array(Mirror(reflecting: self).children))",
      "\(filter { $0.rank > 1 })", "\(difference(from: EntityTable()))", "\(EntityTable().difference(from: self))",
    ]
  }

  /// The texts that depend on properties that `==` ignores.
  var details: [String] { ["\(map(\.note))", "\(self[TableRow.byID, ShortForms()].map(\.id))"] }
}
