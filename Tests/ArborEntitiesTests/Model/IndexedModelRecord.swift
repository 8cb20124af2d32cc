import ArborEntities

/// A type of records of the model-based tests whose tables have indexes of all kinds, each kind more than once.
protocol IndexedModelRecord: ModelRecord, UniquelyIndexedEntity {
  static var byRank: SortedIndex<Self, Int> { get }
  static var byScore: SortedIndex<Self, Int> { get }
  static var byRankBackward: SortedIndex<Self, CustomOrder<Int>> { get }
  static var byDistance: SortedIndex<Self, CustomOrder<Int>> { get }
  static var byTitleBackward: SortedIndex<Self, CustomOrder<Self>> { get }
  static var byGroup: GroupedIndex<Self, Int> { get }
  static var byScoreGroup: GroupedIndex<Self, Int> { get }
  static var byGroupAndRank: GroupedIndex<Self, Int> { get }
  static var byCode: UniqueIndex<Self, Int> { get }
  static var byMark: UniqueIndex<Self, Int> { get }
  static var shelf: ManualOrder<Self> { get }
  static var queue: ManualOrder<Self> { get }
}

extension IndexedModelRecord {
  static var indexes: [any EntityIndex<Self>] {
    [
      byRank, byScore, byRankBackward, byDistance, byTitleBackward, byGroup, byScoreGroup, byGroupAndRank, byCode,
      byMark, shelf, queue,
    ]
  }

  static var hasUniqueKeys: Bool { true }

  static var orders: [ManualOrder<Self>] { [shelf, queue] }

  static func wrongIndex(of table: EntityTable<Self>, by model: TableModel<Self>) -> String? {
    let rows = model.content
    guard table[byRank].map(\.row) == rows.stablySorted(by: { $0.rank < $1.rank }) else { return "by rank" }
    guard table[byScore].map(\.row) == rows.stablySorted(by: { $0.score < $1.score }) else { return "by score" }
    guard table[byRankBackward].map(\.row) == rows.stablySorted(by: { $0.rank > $1.rank }) else {
      return "by rank, backward"
    }
    guard table[byDistance].map(\.row) == rows.stablySorted(by: { abs($0.offset) < abs($1.offset) }) else {
      return "by distance"
    }
    guard table[byTitleBackward].map(\.row) == rows.stablySorted(by: { $0.title > $1.title }) else {
      return "by title, backward"
    }
    guard groups(of: table, byGroup) == model.groups(by: \.groupKey) else { return "by group" }
    guard groups(of: table, byScoreGroup) == model.groups(by: { $0.score % 4 }) else { return "by score, grouped" }
    for index in [byGroup, byGroupAndRank] {
      let keys = rows.compactMap(\.groupKey).reduce(into: [Int]()) { if !$0.contains($1) { $0.append($1) } }
      guard table.keys(of: index) == keys else { return "the keys by group" }
    }
    let ranked = model.groups(by: \.groupKey).mapValues { $0.stablySorted { $0.rank < $1.rank } }
    guard groups(of: table, byGroupAndRank) == ranked else { return "by group and rank" }
    for row in rows {
      if let key = row.codeKey, table[byCode, key]?.row != row { return "by code \(key)" }
      if let key = row.markKey, table[byMark, key]?.row != row { return "by mark \(key)" }
    }
    for (number, order) in orders.enumerated() where table[order].map(\.row.id.number) != model.orders[number] {
      return "order \(number)"
    }
    return nil
  }

  private static func groups(of table: EntityTable<Self>, _ index: GroupedIndex<Self, Int>) -> [Int: [Row]] {
    let groups = table.keys(of: index).map { key in (key, table[index, key].map(\.row)) }
    return Dictionary(uniqueKeysWithValues: groups)
  }
}
