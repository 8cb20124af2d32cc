import ArborEntities
import Testing

/// A copy of a table, with all that is known of it.
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

  /// Whatever has been done with other copies: this one is as it was.
  func check(_ place: String) throws {
    try #require(table.map(\.row) == model.content, "\(place): the rows of a snapshot")
    try #require(table.stamp == stamp, "\(place): the stamp of a snapshot")
    try #require(table.map { table.stamp(of: $0.id) } == stamps, "\(place): the stamps of a snapshot's records")
    try #require(Record.wrongIndex(of: table, by: model) == nil, "\(place): an index of a snapshot")
    table.checkInvariants()
  }

  /// Compares what a table says of itself and this one with what the models say.
  func compare(_ other: EntityTable<Record>, _ model: TableModel<Record>, _ place: String) throws {
    let isSame = model.version == self.model.version
    try #require((other.stamp == table.stamp) == isSame, "\(place): the stamps of two versions")
    if let isEqual = Record.areEqual(other, table) {
      let expected = model.content == self.model.content && model.orders == self.model.orders
      try #require(isEqual == expected, "\(place): two versions compared by ==")
    }
    let (old, new) = (self.model.changes, model.changes)
    let wrong = model.content.map(\.id).first { id in
      guard let before = old[id.number] else { return false }
      return (other.stamp(of: id) == table.stamp(of: id)) != (before == new[id.number])
    }
    try #require(wrong == nil, "\(place): the stamps of a record in two versions")
    let difference = other.difference(from: table)
    try #require(difference.inserted.map(\.number) == model.numbers.filter { old[$0] == nil }, "\(place): inserted")
    try #require(difference.removed.map(\.number) == self.model.numbers.filter { new[$0] == nil }, "\(place): removed")
    try #require(
      difference.updated.map(\.number).sorted() == new.keys.filter { old[$0] != nil && old[$0] != new[$0] }.sorted(),
      "\(place): updated"
    )
  }
}
