import ArborEntities

/// A copy of a table, with everything known about it.
struct TableSnapshot<Record: ModelRecord> {
  let table: EntityTable<Record>
  let model: TableModel<Record>
  private let stamp: ChangeStamp
  private let stamps: [ChangeStamp?]

  init(_ table: EntityTable<Record>, _ model: TableModel<Record>) {
    self.table = table
    self.model = model
    stamp = table.stamp
    stamps = table.map { table.stamp(of: $0.id) }
  }

  /// Checks that this copy is unchanged, regardless of changes to other copies.
  func check() throws {
    try Difference.unless(table.map(\.row) == model.content, "the records of a snapshot")
    try Difference.unless(table.stamp == stamp, "the stamp of a snapshot")
    try Difference.unless(table.map { table.stamp(of: $0.id) } == stamps, "the stamps of a snapshot's records")
    let index = Record.wrongIndex(of: table, by: model)
    try Difference.unless(index == nil, "the index \(index!) of a snapshot")
    table.checkInvariants()
  }

  /// Compares the relation of a table to this one with that of the models.
  func compare(_ other: EntityTable<Record>, _ model: TableModel<Record>) throws {
    let isSame = model.version == self.model.version
    try Difference.unless((other.stamp == table.stamp) == isSame, "the stamps of two versions")
    if let isEqual = Record.areEqual(other, table) {
      let expected = model.content == self.model.content && model.orders == self.model.orders
      try Difference.unless(isEqual == expected, "two versions compared by ==")
    }
    let (old, new) = (self.model.changes, model.changes)
    let wrong = model.content.map(\.id).first { id in
      guard let before = old[id.number] else { return false }
      return (other.stamp(of: id) == table.stamp(of: id)) != (before == new[id.number])
    }
    try Difference.unless(wrong == nil, "the stamps of a record in two versions")
    let difference = other.difference(from: table)
    let (come, gone) = (model.numbers.filter { old[$0] == nil }, self.model.numbers.filter { new[$0] == nil })
    try Difference.unless(difference.inserted.map(\.number) == come, "inserted")
    try Difference.unless(difference.removed.map(\.number) == gone, "removed")
    let isCompared = Record.areEqual(other, table) != nil
    let updated = model.numbers.filter { number in
      guard let before = old[number], before != new[number] else { return false }
      return !isCompared || model.rows[number] != self.model.rows[number]
    }
    try Difference.unless(difference.updated.map(\.number) == updated, "updated")
  }
}
