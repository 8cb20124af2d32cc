import Arbor
import ArborDiff
import ArborEntities
import TestSupport
import Testing

@Suite("Displayed differences of tables")
struct TableDiffTests {
  private func lines(
    from before: EntityTable<Book>,
    limits: StateDiffLimits = StateDiffLimits(),
    _ change: (inout EntityTable<Book>) throws -> Void
  ) rethrows -> [String] {
    var after = before
    try change(&after)
    return StateDiff(from: before, to: after, limits: limits).description.split(separator: "\n").map(String.init)
  }

  @Test func `inserted, removed and changed records are shown by their ids, in their order`() throws {
    let lines = try lines(from: Book.table()) { books in
      try books.update(4) { $0.year = 1872 }
      try books.insert(Book(id: 9, title: "Cape Cod"))
      try books.update(1) { $0.title = "Woods" }
      books.remove(3)
    }
    #expect(
      lines.map { String($0.prefix(40)) } == [
        #"[Book(1)].title: "Walden" → "Woods""#, #"[Book(3)]: - Book(id: Book(3), title: "P"#,
        "[Book(4)].year: 1871 → 1872", #"[Book(9)]: + Book(id: Book(9), title: "C"#,
      ]
    )
  }

  @Test func `a different order is shown from the first record with another place on`() throws {
    let moved = try lines(from: Book.table()) { books in
      let persuasion = books.remove(3)!
      try books.insert(persuasion)
    }
    #expect(moved == ["order: [Book(3), Book(4)] → [Book(4), Book(3)]"])
    let exchanged = StateDiff(
      from: try EntityTable([Book.walden, .emma, .persuasion]),
      to: try EntityTable([Book.emma, .walden, .persuasion])
    )
    let order = exchanged.changes.filter { $0.path == "order" }
    #expect(order.map(\.description) == ["order: [Book(1), Book(2)] → [Book(2), Book(1)]"])
    #expect(exchanged.changes.count == 1)
  }

  @Test func `inserted and removed records do not count as a different order`() throws {
    let lines = try lines(from: Book.table()) { books in
      books.remove(3)
      try books.insert(Book(id: 9, title: "Cape Cod"))
    }
    #expect(lines.map { $0.prefix(12) } == ["[Book(3)]: -", "[Book(9)]: +"])
  }

  @Test func `a record that has changed and moved is shown once, with its place`() throws {
    let lines = try lines(from: Book.table()) { books in
      var persuasion = books.remove(3)!
      persuasion.year = 1818
      try books.insert(persuasion)
    }
    #expect(lines == ["[Book(3)].year: 1817 → 1818", "order: [Book(3), Book(4)] → [Book(4), Book(3)]"])
  }

  @Test func `manual orders are shown by their names and positions`() throws {
    let table = try Book.table()
    #expect(try lines(from: table) { try $0.append(3, to: Book.shelf) } == [#"order("shelf")[2]: + Book(3)"#])
    #expect(try lines(from: table) { try $0.insert(3, at: 0, in: Book.shelf) } == [#"order("shelf")[0]: + Book(3)"#])
    #expect(lines(from: table) { $0.remove(2, from: Book.shelf) } == [#"order("shelf")[0]: - Book(2)"#])
    #expect(
      try lines(from: table) { try $0.move(1, to: 0, in: Book.shelf) }
        == [#"order("shelf")[0..<2]: [Book(2), Book(1)] → [Book(1), Book(2)]"#])
    #expect(
      try lines(from: table) { books in
        books.remove(1, from: Book.shelf)
        try books.append(4, to: Book.shelf)
        try books.append(3, to: Book.desk)
      } == [#"order("shelf")[1]: Book(1) → Book(4)"#, #"order("desk")[0]: + Book(3)"#])
  }

  @Test func `each of several records that enter or leave a manual order is shown at its own position`() throws {
    let table = try Book.table()
    #expect(
      try lines(from: table) { books in
        try books.append(3, to: Book.shelf)
        try books.append(4, to: Book.shelf)
      } == [#"order("shelf")[2]: + Book(3)"#, #"order("shelf")[3]: + Book(4)"#])
    #expect(
      lines(from: table) { books in
        books.remove(2, from: Book.shelf)
        books.remove(1, from: Book.shelf)
      } == [#"order("shelf")[0]: - Book(2)"#, #"order("shelf")[1]: - Book(1)"#])
  }

  @Test func `renumbered records in an old table do not differ`() throws {
    var before: EntityTable<Plain> = [Plain(id: 1), Plain(id: 2), Plain(id: 3)]
    before.skipSlots(leaving: 0)
    before.remove(1)
    var after = before
    try after.insert(Plain(id: 4))
    #expect(StateDiff(from: before, to: after).description == "[4]: + Plain(id: 4, text: \"\")")
  }

  @Test func `a table is shown as its records in order, and its manual orders`() throws {
    let empty: EntityTable<Plain>? = nil
    let diff = StateDiff(from: empty, to: [Plain(id: 2, text: "b"), Plain(id: 1, text: "a")])
    #expect(diff.description == #"nil → [2: Plain(id: 2, text: "b"), 1: Plain(id: 1, text: "a")]"#)
    #expect(StateDiff(from: empty, to: []).description == "nil → [:]")
    var books = try EntityTable([Book.emma])
    try books.append(2, to: Book.desk)
    let text = ValueText.of(books, limits: StateDiffLimits(characters: 1000))
    #expect(text.hasSuffix(#"), order("desk"): [Book(2)]]"#))
  }

  @Test func `a difference equals that of the records and their orders, after any operations`() throws {
    var random = SplitMix64(seed: 18)
    for _ in 0..<300 {
      var before = EntityTable<Book>()
      try before.change(5, &random)
      var after = before
      try after.change(Int.random(in: 0..<6, using: &random), &random)
      if Bool.random(using: &random) { after = try after.madeAnew() }
      try expectDifference(from: before, to: after)
    }
  }

  private func expectDifference(from before: EntityTable<Book>, to after: EntityTable<Book>) throws {
    let changes = StateDiff(from: before, to: after, limits: StateDiffLimits(changes: 1000)).changes
    let ids = Set(before.ids).union(after.ids).filter { before[$0] != after[$0] }
    let told = Set(changes.filter { $0.path.hasPrefix("[") }.map { $0.path.prefix { $0 != "]" } + "]" })
    #expect(told == Set(ids.map { "[\(String(reflecting: $0))]" }))
    let orders = [before, after].map { table in table.ids.filter { before.contains(id: $0) && after.contains(id: $0) } }
    #expect(changes.contains { $0.path == "order" } == (orders[0] != orders[1]))
    let isShelfTold = changes.contains { $0.path.hasPrefix(#"order("shelf")"#) }
    #expect(isShelfTold == (before[Book.shelf].ids != after[Book.shelf].ids))
  }

  // MARK: Bounds

  /// A record that counts how often it is read or compared.
  private struct Watched: Identifiable, Equatable, Sendable, CustomReflectable {
    let id: Int
    var number = 0
    let looks: Looks

    static func == (left: Watched, right: Watched) -> Bool {
      left.looks.add()
      return left.number == right.number
    }

    var customMirror: Mirror {
      looks.add()
      return Mirror(self, children: ["number": number])
    }
  }

  @Test func `one changed record of 100,000 is found without reading the others`() throws {
    let looks = Looks()
    let before = try EntityTable((0..<100_000).map { Watched(id: $0, looks: looks) })
    var after = before
    try after.update(70_000) { $0.number = 1 }
    let already = looks.count
    #expect(StateDiff(from: before, to: after).description == "[70000].number: 0 → 1")
    #expect(looks.count - already < 10)
  }

  @Test func `for a rebuilt table as much is compared as the limit allows, and the rest is mentioned`() throws {
    let looks = Looks()
    let records = (0..<20_000).map { Watched(id: $0, looks: looks) }
    let diff = StateDiff(
      from: try EntityTable(records),
      to: try EntityTable(records.map { Watched(id: $0.id, number: $0.id == 0 ? 1 : 0, looks: looks) }),
      limits: StateDiffLimits(parts: 1000)
    )
    #expect(diff.description == "[0].number: 0 → 1\n… more not compared")
    #expect(looks.count < 2100)
  }

  @Test func `for a long order as much is compared as the limit allows`() throws {
    var before = try EntityTable((0..<20_000).map { Book(id: .init($0), title: "") })
    for id in before.ids { try before.append(id, to: Book.shelf) }
    var after = before
    try after.move(19_999, to: 10_000, in: Book.shelf)
    let limits = StateDiffLimits(parts: 1000)
    #expect(StateDiff(from: before, to: after, limits: limits).description == "… more not compared")
    let whole = StateDiff(from: before, to: after)
    #expect(whole.changes.map(\.path) == [#"order("shelf")[10000..<10101]"#])
    #expect(whole.changes.first?.after?.hasPrefix("[Book(19999), Book(10000), ") == true)
  }
}

extension EntityTable<Book> {
  /// Performs a number of random changes.
  fileprivate mutating func change(_ count: Int, _ random: inout SplitMix64) throws {
    for _ in 0..<count {
      let id = Book.ID(Int.random(in: 0..<6, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: try upsert(Book(id: id, title: "title \(Int.random(in: 0..<2, using: &random))"))
      case 2: remove(id)
      case 3: if contains(id: id), !self[Book.shelf].ids.contains(id) { try append(id, to: Book.shelf) }
      case 4: if self[Book.shelf].ids.contains(id) { try move(id, to: 0, in: Book.shelf) }
      default: remove(id, from: Book.shelf)
      }
    }
  }

  /// Returns a separate table with the same records and orders.
  fileprivate func madeAnew() throws -> EntityTable {
    var table = try EntityTable(Array(self))
    for id in self[Book.shelf].ids { try table.append(id, to: Book.shelf) }
    return table
  }
}
