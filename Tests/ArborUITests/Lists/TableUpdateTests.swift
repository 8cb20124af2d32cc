import Arbor
import ArborEntities
import ArborUI
import TestSupport
import Testing

@Suite("The update of a list of a table")
struct TableUpdateTests {
  @Test func `the first update inserts all records`() throws {
    let books = try EntityTable([Book(id: 1, title: "Walden"), Book(id: 2, title: "Emma")])
    let update = ListUpdate(Changes(current: books, previous: nil))
    #expect(update.inserts == [0, 1])
    #expect(update.reloads.isEmpty)
  }

  @Test(arguments: ["Emma", "Walden"])
  func `a record removed and inserted again moves, and is reloaded if it differs`(title: String) throws {
    let old = try EntityTable((1...3).map { Book(id: $0, title: "Emma") })
    var new = old
    new.remove(1)
    try new.insert(Book(id: 1, title: title))
    let update = ListUpdate(Changes(current: new, previous: old))
    #expect(update.moves.map(\.id) == [1])
    #expect(update.reloads.map(\.id) == (title == "Emma" ? [] : [1]))
    #expect(update.deletes.isEmpty)
    #expect(update.inserts.isEmpty)
  }

  @Test func `a changed key moves a record in the list of an index`() throws {
    let old = try EntityTable([Book(id: 1, title: "Walden"), Book(id: 2, title: "Emma")])
    var new = old
    try new.update(2) { $0.title = "Zuleika Dobson" }
    let changes = Changes(current: new, previous: old)
    #expect(ListUpdate(changes).moves.isEmpty)
    #expect(ListUpdate(changes) { $0[Book.byTitle] }.moves.count == 1)
    #expect(ListUpdate(changes) { $0[Book.byTitle].reversed() }.moves.count == 1)
  }

  @Test func `lists follow a table and its indexes through any changes`() throws {
    var random = SplitMix64(seed: 14)
    var table = EntityTable<Book>()
    var previous: EntityTable<Book>?
    for step in 0..<2000 {
      try table.change(at: &random)
      if random.once(in: 200) { table = EntityTable() }
      // Otherwise this delivery is skipped.
      guard !random.once(in: 4) else { continue }
      let changes = Changes(current: table, previous: previous)
      expect(changes, "step \(step), by the table") { $0.map(\.id) }
      expect(changes, "step \(step), by title") { $0[Book.byTitle].map(\.id) }
      expect(changes, "step \(step), by the shelf") { $0[Book.shelf].map(\.id) }
      expect(changes, "step \(step), a selection") { $0.filter { $0.id.isMultiple(of: 3) }.map(\.id) }
      previous = table
    }
  }

  private func expect(
    _ changes: Changes<EntityTable<Book>>,
    _ comment: Comment,
    _ ids: (EntityTable<Book>) -> [Int]
  ) {
    let (old, new) = (changes.previous ?? EntityTable(), changes.current)
    let changed = old.ids.filter { new.contains(id: $0) && new[$0] != old[$0] }
    let update = ListUpdate(changes) { table in table.find(in: ids(table)) }
    update.expect(from: ids(old), to: ids(new), changed: Set(changed), comment)
  }
}
