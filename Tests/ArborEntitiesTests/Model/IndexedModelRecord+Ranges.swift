import ArborEntities

extension IndexedModelRecord {
  static func wrongRange(of table: EntityTable<Self>, by model: TableModel<Self>, _ query: RangeQuery) -> String? {
    let rows = model.content
    let (first, last) = (query.first, query.last)
    guard areRight(table, byRank, rows, first, last, of: \.rank) else { return "by rank" }
    guard areRight(table, byRankBackward, rows, from: first, through: last, by: >, of: \.rank) else {
      return "by rank, backward"
    }
    let (near, far) = (first - 25, last - 25)
    guard areRight(table, byDistance, rows, from: near, through: far, by: { abs($0) < abs($1) }, of: \.offset) else {
      return "by distance"
    }
    func record(_ number: Int) -> Self { Self(row: Row(id: ModelID(0, .normal), title: "title \(abs(number) % 20)")) }
    let isBehind = { (left: Self, right: Self) in left.row.title > right.row.title }
    let (behind, before) = (record(first), record(last))
    guard areRight(table, byTitleBackward, rows, from: behind, through: before, by: isBehind, of: Self.init) else {
      return "by title, backward"
    }
    return nil
  }

  /// Compares ranges of all kinds of an ascending index with a plain filter.
  private static func areRight<Key: Comparable>(
    _ table: EntityTable<Self>,
    _ index: SortedIndex<Self, Key>,
    _ rows: [Row],
    _ first: Key,
    _ last: Key,
    of key: (Row) -> Key
  ) -> Bool {
    let sorted = rows.stablySorted { key($0) < key($1) }
    let (low, high) = (min(first, last), max(first, last))
    func isRight(_ range: some RangeExpression<Key>) -> Bool {
      table[index, range].map(\.row) == sorted.filter { range.contains(key($0)) }
    }
    return isRight(low...high) && isRight(low..<high) && isRight(first...) && isRight(..<last) && isRight(...last)
  }

  /// Compares ranges of an index with a custom order with a plain filter: from one key through another, from the first
  /// one on, and through the second.
  private static func areRight<Key>(
    _ table: EntityTable<Self>,
    _ index: SortedIndex<Self, CustomOrder<Key>>,
    _ rows: [Row],
    from first: Key,
    through last: Key,
    by areInOrder: (Key, Key) -> Bool,
    of key: (Row) -> Key
  ) -> Bool {
    let sorted = rows.stablySorted { areInOrder(key($0), key($1)) }
    func isFromFirst(_ row: Row) -> Bool { !areInOrder(key(row), first) }
    func isThroughLast(_ row: Row) -> Bool { !areInOrder(last, key(row)) }
    return table[index, from: first].map(\.row) == sorted.filter(isFromFirst)
      && table[index, through: last].map(\.row) == sorted.filter(isThroughLast)
      && table[index, from: first, through: last].map(\.row)
        == sorted.filter { isFromFirst($0) && isThroughLast($0) }
  }
}
