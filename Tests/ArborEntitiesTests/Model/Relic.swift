import ArborEntities

/// A record with indexes of all kinds, without `==`.
struct Relic: IndexedModelRecord {
  var row: Row

  static let byRank = SortedIndex(\Relic.row.rank)
  static let byScore = SortedIndex(\Relic.row.score)
  static let byRankBackward = SortedIndex(\Relic.row.rank, by: >)
  static let byDistance = SortedIndex(\Relic.row.offset) { abs($0) < abs($1) }
  static let byTitleBackward = SortedIndex<Relic, _> { $0.row.title > $1.row.title }
  static let byGroup = GroupedIndex(\Relic.row.groupKey)
  static let byScoreGroup = GroupedIndex<Relic, Int> { $0.row.score % 4 }
  static let byGroupAndRank = GroupedIndex(\Relic.row.groupKey, sortedBy: \.row.rank)
  static let byCode = UniqueIndex(\Relic.row.codeKey)
  static let byMark = UniqueIndex(\Relic.row.markKey)
  static let shelf = ManualOrder<Relic>("shelf")
  static let queue = ManualOrder<Relic>("queue")
}
