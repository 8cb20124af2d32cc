import ArborEntities
import TestSupport
import Testing

@Suite("Entity tables")
struct EntityTableTests {
  @Test func `records are found by their ids, and ids without a record are ignored`() throws {
    let books = try Book.table()
    #expect(books[1] == .walden)
    #expect(books[9] == nil)
    #expect(books.find(2) == .emma)
    #expect(books.find(in: [4, 9, 1, 4]) == [.middlemarch, .walden, .middlemarch])
    #expect(books.contains(id: 3))
    #expect(!books.contains(id: 9))
    #expect(Array(books.ids) == [1, 2, 3, 4])
  }

  @Test func `a changed record keeps its place, and one that is inserted again comes last`() throws {
    var books = try Book.table()
    try books.update(1) { $0.title = "Walden; or, Life in the Woods" }
    try books.upsert(Book(id: 2, title: "Emma, a Novel"))
    try books.rename([3: 30]) { $0.id = $1 }
    #expect(Array(books.ids) == [1, 2, 30, 4])
    books.remove(2)
    try books.insert(.emma)
    #expect(Array(books.ids) == [1, 30, 4, 2])
    books.checkInvariants()
  }

  @Test func `update returns the result of its closure`() throws {
    var books = try Book.table()
    let old = try books.update(1) { book in
      defer { book.year = 1855 }
      return book.year
    }
    #expect(old == 1854)
    #expect(books[1]?.year == 1855)
  }

  @Test func `updateIfExists changes an existing record, and returns nil for a missing one`() throws {
    var books = try Book.table()
    #expect(try books.updateIfExists(1) { $0.year += 1 } != nil)
    #expect(books[1]?.year == 1855)
    let before = books
    #expect(try books.updateIfExists(9) { $0.year += 1 } == nil)
    #expect(books.stamp == before.stamp)
    expectUnchanged(&books, after: EntityError<Book>.changedID(from: 1, to: 9)) { books in
      try books.updateIfExists(1) { $0.id = 9 }
    }
    expectUnchanged(&books, after: Refusal()) { books in
      try books.updateIfExists(1) { _ in throw Refusal() }
    }
  }

  @Test func `insertIfAbsent inserts a record once, and leaves an existing one unchanged`() throws {
    var books = try Book.table()
    let before = books
    #expect(try !books.insertIfAbsent(Book(id: 1, title: "Another")))
    #expect(books.stamp == before.stamp)
    #expect(books[1] == .walden)
    #expect(try books.insertIfAbsent(Book(id: 9, title: "Draft")))
    #expect(Array(books.ids) == [1, 2, 3, 4, 9])
    expectUnchanged(&books, after: EntityError<Book>.duplicateKey("e", of: 10, owner: 2)) { books in
      try books.insertIfAbsent(Book(id: 10, title: "Copy", isbn: "e"))
    }
  }

  @Test func `an assigned record is inserted, replaces another one, or removes it`() throws {
    var plain = try EntityTable((1...4).map { Plain(id: $0, text: "\($0)") })
    plain[2]?.text = "two"
    plain[9]?.text = "for no record"
    plain[5] = Plain(id: 5, text: "five")
    plain[1] = nil
    plain[1] = nil
    #expect(plain.map(\.text) == ["two", "3", "4", "five"])
    let before = plain
    plain[5] = Plain(id: 5, text: "five")
    #expect(plain.stamp == before.stamp)
    plain.checkInvariants()
  }

  @Test func `a refused assignment leaves the record unchanged, and is reported once`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      var plain = try EntityTable((1...3).map { Plain(id: $0) })
      plain[2]?.text = "b"
      let before = plain
      plain[9] = Plain(id: 1)
      plain[1]?.id = 2
      try #require(plain == before)
      plain.checkInvariants()
      // A key path uses the subscript that all tables have.
      var books = try Book.table()
      let path: WritableKeyPath<EntityTable<Book>, Book?> = \.[1]
      books[keyPath: path]?.isbn = "e"
      #expect(try books == Book.table())
    }
    let text = String(decoding: try #require(result?.standardErrorContent), as: UTF8.self)
    let lines = text.split(separator: "\n").filter { $0.contains("An EntityTable refused a record") }
    #expect(lines.count == 2)
    #expect(lines.last?.hasSuffix("(Book)") == true)
  }

  @Test func `remove returns the removed record`() throws {
    var books = try Book.table()
    #expect(books.remove(1) == .walden)
    #expect(books.remove(1) == nil)
    #expect(books.remove(ids: [4, 1, 2]) == [.middlemarch, .emma])
    #expect(Array(books) == [.persuasion])
  }

  @Test func `an operation that changes nothing keeps the stamp`() throws {
    var books = try Book.table()
    let before = books
    try books.update(1) { $0.title = "Walden" }
    try books.update(1) { _ in }
    try books.update(ids: [1, 2, 1]) { _ in }
    try books.update(ids: []) { $0.title = "" }
    try books.updateAll { $0.year += 0 }
    try books.upsert(.emma)
    try books.upsert(.emma) { $0 = $1 }
    try books.upsert(contentsOf: Array(books))
    try books.insert(contentsOf: [])
    try books.merge(before)
    try books.merge([])
    try books.rename([1: 1]) { $0.id = $1 }
    try books.rename([:]) { $0.id = $1 }
    books.remove(9)
    books.remove(ids: [9, 10])
    books.removeAll { _ in false }
    try books.move(2, to: 0, in: Book.shelf)
    books.remove(3, from: Book.shelf)
    #expect(books.stamp == before.stamp)
    #expect(books.filter { _ in true }.stamp == before.stamp)
    #expect(books.map { books.stamp(of: $0.id) } == before.map { before.stamp(of: $0.id) })
    #expect(books.difference(from: before).isEmpty)
    var empty = EntityTable<Book>()
    empty.removeAll()
    try empty.updateAll { $0.title = "" }
    #expect(empty.stamp == EntityTable<Book>().stamp)
  }

  @Test func `a change gives new stamps to the changed parts, and to nothing else`() throws {
    var books = try Book.table()
    let before = books
    try books.update(2) { $0.year = 1816 }
    #expect(books.stamp != before.stamp)
    #expect(books.stamp(of: 2) != before.stamp(of: 2))
    for id in [1, 3, 4] as [Book.ID] { #expect(books.stamp(of: id) == before.stamp(of: id)) }
    #expect(books.stamp(of: 9) == nil)
  }

  @Test func `two copies changed in the same way are equal, but never have the same stamp`() throws {
    var (left, right) = (try Book.table(), try Book.table())
    #expect(left == right)
    #expect(left.stamp != right.stamp)
    right = left
    try left.update(1) { $0.year = 1855 }
    try right.update(1) { $0.year = 1855 }
    #expect(left == right)
    #expect(left.stamp != right.stamp)
    #expect(left.stamp(of: 1) != right.stamp(of: 1))
    left.removeAll()
    right.removeAll()
    #expect(left == right)
    #expect(left.stamp != right.stamp)
  }

  @Test func `a change that == does not see is stored, and keeps the stamp`() throws {
    var labels = try EntityTable([Label(id: 1, text: "old")])
    let before = labels
    try labels.update(1) { $0.text = "new" }
    #expect(labels[1]?.text == "new")
    #expect(labels.stamp == before.stamp)
    #expect(labels.stamp(of: 1) == before.stamp(of: 1))
    try labels.upsert(Label(id: 1, text: "newer"))
    try labels.updateAll { $0.text += "!" }
    #expect(labels[1]?.text == "newer!")
    #expect(labels[Label.byText].map(\.text) == ["newer!"])
    #expect(labels.stamp == before.stamp)
    #expect(before[1]?.text == "old")
    labels.checkInvariants()
  }

  @Test func `two records swap their unique keys in any change of both at once`() throws {
    var books = try Book.table()
    try books.updateAll { $0.isbn = $0.isbn == "w" ? "e" : $0.isbn == "e" ? "w" : nil }
    #expect(books[Book.byISBN, "e"]?.id == 1)
    try books.update(ids: [1, 2]) { $0.isbn = $0.isbn == "w" ? "e" : "w" }
    #expect(books[Book.byISBN, "w"]?.id == 1)
    try books.rename([1: 2, 2: 1]) { book, id in
      book.id = id
      book.isbn = book.isbn == "w" ? "e" : "w"
    }
    #expect(books[Book.byISBN, "w"]?.id == 1)
    #expect(books[Book.byISBN, "w"]?.title == "Emma")
    try books.upsert(contentsOf: [Book(id: 1, title: "", isbn: "e"), Book(id: 2, title: "", isbn: "w")])
    #expect(books[Book.byISBN, "e"]?.id == 1)
    #expect(books[Book.byISBN, "w"]?.id == 2)
    books.checkInvariants()
  }

  @Test func `records swap their ids, or take over others', all at once`() throws {
    var books = try Book.table()
    let before = books
    try books.rename([1: 2, 2: 1]) { $0.id = $1 }
    #expect(books.map(\.title) == ["Walden", "Emma", "Persuasion", "Middlemarch"])
    #expect(Array(books.ids) == [2, 1, 3, 4])
    #expect(books[Book.shelf].ids == [1, 2])
    #expect(Set(books.difference(from: before).updated) == [1, 2])
    try books.rename([1: 3, 3: 9]) { $0.id = $1 }
    #expect(Array(books.ids) == [2, 3, 9, 4])
    #expect(books[3]?.title == "Emma")
    #expect(books[9]?.title == "Persuasion")
    #expect(books[Book.shelf].ids == [3, 2])
    books.checkInvariants()
    before.checkInvariants()
    #expect(Array(before.ids) == [1, 2, 3, 4])
  }

  @Test func `a difference names the inserted, removed and changed records`() throws {
    let before = try Book.table()
    var books = before
    books.remove(1)
    books.remove(2)
    try books.insert(.emma)
    try books.update(4) { $0.year = 1872 }
    try books.insert(Book(id: 9, title: "Another"))
    let difference = books.difference(from: before)
    #expect(difference.inserted == [9])
    #expect(difference.removed == [1])
    // Emma has another place, but is the same record.
    #expect(difference.updated == [4])
    #expect(!difference.isEmpty)
    let back = before.difference(from: books)
    #expect(back.inserted == [1])
    #expect(back.removed == [9])
    #expect(books.difference(from: books) == EntityDifference())
  }

  @Test func `a swap of places in a manual order changes the table, but no record`() throws {
    let before = try Book.table()
    var books = before
    try books.move(1, to: 0, in: Book.shelf)
    #expect(books != before)
    #expect(books.stamp != before.stamp)
    #expect(books.difference(from: before).isEmpty)
    try books.move(1, to: 1, in: Book.shelf)
    #expect(books == before)
  }

  @Test func `merge inserts new records, and replaces or merges known ones`() throws {
    var books = try Book.table()
    let another = Book(id: 9, title: "Another")
    try books.merge([Book(id: 1, title: "Replaced"), another])
    #expect(books.map(\.title) == ["Replaced", "Emma", "Persuasion", "Middlemarch", "Another"])
    try books.merge([Book(id: 1, title: "Merged")]) { known, new in known.title += " and \(new.title)" }
    #expect(books[1]?.title == "Replaced and Merged")
    books.checkInvariants()
  }

  @Test(arguments: [false, true])
  func `merge takes the records, but not their manual orders`(wasUsed: Bool) throws {
    var books = EntityTable<Book>()
    if wasUsed {
      try books.insert(Book(id: 9, title: "Another"))
      books.removeAll()
    }
    try books.merge(try Book.table())
    #expect(Array(books) == [.walden, .emma, .persuasion, .middlemarch])
    #expect(books[Book.shelf].isEmpty)
  }

  @Test func `a table merged into a new one shares its storage`() throws {
    var table = EntityTable<Plain>()
    let other: EntityTable = [Plain(id: 1)]
    try table.merge(other)
    #expect(table.stamp == other.stamp)
  }

  @Test func `filter keeps orders, and does not change the original table`() throws {
    let books = try Book.table()
    let old = books.filter { $0.year < 1850 }
    #expect(Array(old.ids) == [2, 3])
    #expect(old[Book.shelf].ids == [2])
    #expect(books.count == 4)
    old.checkInvariants()
  }

  @Test func `a large table stays correct while it loses and gains records, and so do its copies`() throws {
    let count = 8_000
    var random = SplitMix64(seed: 7)
    var plain = try EntityTable((0..<count).map { Plain(id: $0) })
    var (order, texts) = (Array(0..<count), [Int: String]())
    var copies: [(table: EntityTable<Plain>, ids: [Int], texts: [Int: String])] = []
    // First scattered records are removed, then all but a few, then they return with others.
    for (round, kept) in [15, 40, 3, 0, 97].enumerated() {
      let leaving = order.filter { _ in Int(random.next() % 100) >= kept }
      for id in leaving { #expect(plain.remove(id)?.id == id) }
      let gone = Set(leaving)
      order.removeAll { gone.contains($0) }
      for id in order where random.next() % 4 == 0 {
        texts[id] = "\(round)"
        try plain.update(id) { $0.text = "\(round)" }
      }
      plain.checkInvariants()
      copies.append((plain, order, texts))
      for id in leaving.shuffled(using: &random) + [count + round] {
        texts[id] = nil
        try plain.insert(Plain(id: id))
        order.append(id)
      }
      plain.checkInvariants()
      copies.append((plain, order, texts))
    }
    for copy in copies {
      copy.table.checkInvariants()
      #expect(copy.table.map(\.id) == copy.ids)
      #expect(copy.ids.allSatisfy { copy.table[$0]?.text == copy.texts[$0] ?? "" })
      #expect(copy.table.last?.id == copy.ids.last)
    }
    #expect(plain.difference(from: copies[0].table).removed.isEmpty)
  }

  @Test func `equal tables have equal hashes`() throws {
    let (left, right) = (try Book.table(), try Book.table())
    #expect(Set([left, right]).count == 1)
    #expect(left.hashValue == right.hashValue)
    #expect(Set([left, left.filter { $0.id != 1 }]).count == 2)
  }

  @Test func `tables with the same records in another order are not equal`() throws {
    #expect(try EntityTable([Book.walden, .emma]) != EntityTable([Book.emma, .walden]))
    #expect(try EntityTable([Book.walden, .emma]) != EntityTable([Book.walden]))
  }
}

/// A record whose `==` compares only the id.
private struct Label: IndexedEntity, Equatable {
  let id: Int
  var text: String

  static let byText = SortedIndex(\Label.text)

  static var indexes: [any EntityIndex<Label>] { [byText] }

  static func == (left: Label, right: Label) -> Bool { left.id == right.id }
}
