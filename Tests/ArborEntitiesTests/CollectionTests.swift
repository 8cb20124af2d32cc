import ArborDiff
import ArborEntities
import Testing

@Suite("Tables as collections")
struct CollectionTests {
  /// A table of the even numbers below 2000, without every third of them.
  private let table: EntityTable<Plain>
  private let numbers: [Int]

  init() throws {
    var table = try EntityTable((0..<1_000).map { Plain(id: $0 * 2) })
    for id in stride(from: 0, to: 2_000, by: 6) { table.remove(id) }
    self.table = table
    numbers = (0..<1_000).map { $0 * 2 }.filter { !$0.isMultiple(of: 6) }
  }

  @Test func `a table is iterated forward and backward, by its iterator and by its indices`() {
    #expect(table.map(\.id) == numbers)
    #expect(table.indices.map { table[$0].id } == numbers)
    #expect(table.reversed().map(\.id) == numbers.reversed())
    #expect(table.first?.id == numbers.first)
    #expect(table.last?.id == numbers.last)
    #expect(table.count == numbers.count)
    #expect(table.distance(from: table.startIndex, to: table.endIndex) == numbers.count)
    #expect(Array(table.ids.reversed()) == numbers.reversed())
  }

  @Test func `a table has slices`() {
    #expect(table.prefix(3).map(\.id) == Array(numbers.prefix(3)))
    #expect(table.dropFirst(600).map(\.id) == Array(numbers.dropFirst(600)))
    #expect(table.suffix(3).map(\.id) == Array(numbers.suffix(3)))
    let slice = table.drop { $0.id < 1_000 }.prefix { $0.id < 1_010 }
    #expect(slice.map(\.id) == numbers.filter { 1_000..<1_010 ~= $0 })
  }

  @Test func `an empty table has no first or last record`() {
    let empty = EntityTable<Plain>()
    #expect(empty.startIndex == empty.endIndex)
    #expect(empty.first == nil)
    #expect(empty.last == nil)
    #expect(empty.map(\.id) == [])
    var emptied = table
    for id in numbers { emptied.remove(id) }
    #expect(emptied.startIndex == emptied.endIndex)
    #expect(emptied.map(\.id) == [])
  }

  @Test func `an index refers to the same record while others are inserted and removed`() throws {
    var changed = table
    let index = try #require(changed.index(of: 1_000))
    #expect(changed.index(of: 1) == nil)
    for id in numbers where id < 900 { changed.remove(id) }
    try changed.insert(contentsOf: (2_000..<2_100).map { Plain(id: $0) })
    try changed.rename([1_000: 1]) { $0.id = $1 }
    #expect(changed[index].id == 1)
    #expect(changed[changed.index(after: index)].id == 1_004)
    #expect(changed[changed.index(before: index)].id == 998)
    #expect(index < changed.endIndex)
  }

  @Test func `an index of a removed record stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var table: EntityTable = [Plain(id: 1), Plain(id: 2)]
      let index = table.startIndex
      table.remove(1)
      _ = table[index]
    }
    expect(result, contains: "an index that isn't, or is no longer, one of its own")
  }

  @Test func `no index precedes the first record`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let table: EntityTable = [Plain(id: 1)]
      _ = table.index(before: table.startIndex)
    }
    expect(result, contains: "the index before its first one")
  }

  @Test func `a table prints as an array of its records`() {
    let table: EntityTable = [Plain(id: 1, text: "one")]
    #expect("\(table)" == "\([Plain(id: 1, text: "one")])")
  }

  @Test func `a difference of states names the record and the field`() throws {
    var after = Library(books: try Book.table())
    let before = after
    try after.books.update(1) { $0.title = "Woods" }
    #expect(StateDiff(from: before, to: after).description == #"books[Book(1)].title: "Walden" → "Woods""#)
  }

  @Test func `a literal of records with the same id stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let table: EntityTable = [Plain(id: 1), Plain(id: 1)]
      _ = table
    }
    expect(result, contains: "made from a literal in which two records have the same id")
    expect(result, contains: "Plain 1 already exists, or occurs twice")
  }

  @Test func `a literal of records with the same unique key stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let table: EntityTable<Book> = [.walden, Book(id: 9, title: "", isbn: "w")]
      _ = table
    }
    expect(result, contains: "Book(9) would have the key \"w\", which Book(1) already has")
  }

  @Test func `an index that the type does not declare stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let table: EntityTable<Book> = [.walden]
      _ = table[SortedIndex(\Book.title)]
    }
    expect(result, contains: "queried with an index that the type of its records does not declare")
    expect(result, contains: "make it once, as a static let")
    expect(result, contains: "(Book)")
  }
}
