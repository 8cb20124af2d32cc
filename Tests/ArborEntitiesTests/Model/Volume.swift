import ArborEntities

/// A record with indexes of all kinds, with `==`.
struct Volume: IndexedModelRecord, Equatable {
  var row: Row

  static let byRank = SortedIndex(\Volume.row.rank)
  static let byScore = SortedIndex(\Volume.row.score)
  static let byRankBackward = SortedIndex(\Volume.row.rank, by: >)
  static let byDistance = SortedIndex(\Volume.row.offset) { abs($0) < abs($1) }
  static let byTitleBackward = SortedIndex<Volume, _> { $0.row.title > $1.row.title }
  static let byGroup = GroupedIndex(\Volume.row.groupKey)
  static let byScoreGroup = GroupedIndex<Volume, Int> { $0.row.score % 4 }
  static let byGroupAndRank = GroupedIndex(\Volume.row.groupKey, sortedBy: \.row.rank)
  static let byCode = UniqueIndex(\Volume.row.codeKey)
  static let byMark = UniqueIndex(\Volume.row.markKey)
  static let shelf = ManualOrder<Volume>("shelf")
  static let queue = ManualOrder<Volume>("queue")
}
