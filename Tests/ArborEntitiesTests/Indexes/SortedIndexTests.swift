import ArborEntities
import TestSupport
import Testing

@Suite("Sorted indexes")
struct SortedIndexTests {
  @Test func `records are in the order of the key, and those with equal keys in the order of the table`() throws {
    var books = try Book.table()
    #expect(books[Book.byTitle].map(\.title) == ["Emma", "Middlemarch", "Persuasion", "Walden"])
    try books.updateAll { $0.year = $0.id == 2 ? 1 : 2 }
    #expect(books[Book.byYear].ids == [2, 1, 3, 4])
    #expect(books[Book.newest].ids == [1, 3, 4, 2])
    books.remove(1)
    try books.insert(Book(id: 1, title: "", year: 2))
    #expect(books[Book.byYear].ids == [2, 3, 4, 1])
  }

  @Test func `a list has random access, and does not change`() throws {
    var books = try EntityTable((0..<2_000).map { Book(id: .init($0), title: "", year: $0 * 7_919 % 2_000) })
    let list = books[Book.byYear]
    books.removeAll { !$0.year.isMultiple(of: 3) }
    #expect(list.map(\.year) == Array(0..<2_000))
    #expect(list[1_234].year == 1_234)
    #expect(list[100..<103].map(\.year) == [100, 101, 102])
    #expect(list.reversed().first?.year == 1_999)
    #expect(books[Book.byYear].map(\.year) == Array(stride(from: 0, to: 2_000, by: 3)))
    #expect(books[Book.byYear][100].year == 300)
    #expect(list != books[Book.byYear])
    #expect(list == list)
  }

  @Test func `each kind of range gives its records`() throws {
    let books = try EntityTable((0..<100).map { Book(id: .init($0), title: "", year: $0 / 2) })
    #expect(books[Book.byYear, 10..<12].map(\.year) == [10, 10, 11, 11])
    #expect(books[Book.byYear, 10...11].map(\.year) == [10, 10, 11, 11])
    #expect(books[Book.byYear, 48...].map(\.year) == [48, 48, 49, 49])
    #expect(books[Book.byYear, ..<2].map(\.year) == [0, 0, 1, 1])
    #expect(books[Book.byYear, ...1].map(\.year) == [0, 0, 1, 1])
    #expect(books[Book.byYear, Around(centre: 10)].map(\.year) == [9, 9, 10, 10, 11, 11])
    #expect(books[Book.byYear, Around(centre: 200)].isEmpty)
    #expect(books[Book.byYear, 10..<10].isEmpty)
    #expect(books[Book.byYear, 60..<70].isEmpty)
    #expect(books[Book.byYear, -9..<0].isEmpty)
    #expect(books[Book.byYear, (-9)...].count == 100)
    #expect(EntityTable<Book>()[Book.byYear, 0...].isEmpty)
    #expect(books[Book.byYear, 10..<12][2].year == 11)
    #expect(books[Book.byYear, 10..<12].ids == [20, 21, 22, 23])
  }

  @Test func `a custom kind of range gives exactly its records`() throws {
    let books = try EntityTable((0..<20).map { Book(id: .init($0), title: "", year: $0 / 2) })
    #expect(books[Book.byYear, Odd()].map(\.year) == [1, 1, 3, 3, 5, 5, 7, 7, 9, 9])
    #expect(books[Book.byYear, Odd()][2].year == 3)
  }

  @Test func `keys that are not equal to themselves are in no range, even if <= is true for them`() throws {
    let prices = try EntityTable((0..<200).map { Price(id: $0, amount: .init(value: $0.isMultiple(of: 3) ? .nan : 1)) })
    #expect(prices[Price.byAmount, ...Price.Amount(value: 1)].ids == prices.ids.filter { !$0.isMultiple(of: 3) })
    #expect(prices[Price.byAmount, ...Price.Amount(value: 0)].isEmpty)
  }

  @Test func `a list prints as an array of its records`() throws {
    let list = try Book.table()[Book.byTitle, "W"...]
    #expect("\(list)" == "\([Book.walden])")
    #expect(Mirror(reflecting: list).displayStyle == .collection)
    #expect(Mirror(reflecting: list).children.count == 1)
  }

  @Test func `a position outside a list stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let books: EntityTable<Book> = [.walden, .emma]
      _ = books[Book.byTitle, "W"...][1]
    }
    expect(result, contains: "An EntityList was read at a position that it does not have.")
  }

  /// With these numbers of records, the tree has a branch with one child, or nearly.
  @Test(arguments: [1, 32, 33, 1_024, 1_025, 1_057])
  func `records can be removed from either end until none is left`(count: Int) throws {
    let all = try EntityTable((0..<count).map { Sample(id: $0, value: Double($0)) })
    var (front, back) = (all, all)
    for number in 0..<count {
      front.remove(number)
      back.remove(count - 1 - number)
      guard number < 2 || number.isMultiple(of: 200) || number > count - 3 else { continue }
      front.checkInvariants()
      back.checkInvariants()
      try #require(front[Sample.byValue].map(\.id) == Array((number + 1)..<count))
      try #require(back[Sample.byValue].map(\.id) == Array(0..<(count - 1 - number)))
    }
    #expect(front.isEmpty && back.isEmpty)
  }

  @Test func `NaN keys come last, and nothing is lost or left over because of them`() throws {
    var random = SplitMix64(seed: 1)
    func value() -> Double { Bool.random(using: &random) ? .nan : Double(Int.random(in: 0..<100, using: &random)) }
    var samples = EntityTable<Sample>()
    func expectInOrder() throws {
      let values = samples[Sample.byValue].map(\.value)
      let numbers = samples.map(\.value).filter { !$0.isNaN }.sorted()
      try #require(values.count == samples.count)
      try #require(Array(values.prefix(numbers.count)) == numbers)
      try #require(samples[Sample.byValue, 50...].map(\.value) == numbers.filter { $0 >= 50 })
      try #require(samples[Sample.byValue, ..<50].map(\.value) == numbers.filter { $0 < 50 })
      samples.checkInvariants()
    }
    for id in 0..<200 { try samples.insert(Sample(id: id, value: value())) }
    try expectInOrder()
    for id in 0..<200 where id.isMultiple(of: 3) { try samples.update(id) { $0.value = value() } }
    try expectInOrder()
    try samples.updateAll { $0.value = value() }
    try expectInOrder()
    for id in 0..<200 { try samples.update(id) { $0.value = $0.value.isNaN ? Double(id) : .nan } }
    try expectInOrder()
    for id in 0..<100 { samples.remove(id) }
    try expectInOrder()
    samples.removeAll { $0.value.isNaN }
    try expectInOrder()
    for id in Array(samples.ids) { samples.remove(id) }
    #expect(samples[Sample.byValue].isEmpty)
  }

  @Test func `E1 if equal keys have different bytes, a range checks the current one`() throws {
    var cities: EntityTable = [City(id: 1, name: "Orl\u{E9}")]
    try cities.update(1) { $0.name = "Orle\u{301}" }
    #expect(cities[City.byName, Bytes(count: 6)].ids == [1])
    #expect(cities[City.byName, Bytes(count: 5)].isEmpty)
  }
}

/// A custom kind of range.
private struct Around: RangeExpression {
  let centre: Int

  func relative<Indices: Collection>(to indices: Indices) -> Range<Int> where Indices.Index == Int {
    (centre - 1)..<(centre + 2)
  }

  func contains(_ number: Int) -> Bool { abs(number - centre) <= 1 }
}

/// A kind of range with gaps.
private struct Odd: RangeExpression {
  func relative<Indices: Collection>(to indices: Indices) -> Range<Int> where Indices.Index == Int { 0..<0 }

  func contains(_ number: Int) -> Bool { !number.isMultiple(of: 2) }
}

/// The texts with a number of bytes.
private struct Bytes: RangeExpression {
  let count: Int

  func relative<Indices: Collection>(to indices: Indices) -> Range<String> where Indices.Index == String {
    indices.startIndex..<indices.endIndex
  }

  func contains(_ text: String) -> Bool { text.utf8.count == count }
}

/// A record whose key can be in two normal forms.
private struct City: IndexedEntity {
  let id: Int
  var name: String

  static let byName = SortedIndex(\City.name)

  static var indexes: [any EntityIndex<City>] { [byName] }
}

/// A record whose key has the `<=` that is derived from `<`, which is true for NaN too.
private struct Price: IndexedEntity {
  struct Amount: Comparable {
    let value: Double

    static func < (left: Amount, right: Amount) -> Bool { left.value < right.value }
  }

  let id: Int
  var amount: Amount

  static let byAmount = SortedIndex(\Price.amount)

  static var indexes: [any EntityIndex<Price>] { [byAmount] }
}

/// A record whose key may be NaN.
private struct Sample: IndexedEntity {
  let id: Int
  var value: Double

  static let byValue = SortedIndex(\Sample.value)

  static var indexes: [any EntityIndex<Sample>] { [byValue] }
}
