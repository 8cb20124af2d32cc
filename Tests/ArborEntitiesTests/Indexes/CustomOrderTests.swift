import ArborEntities
import TestSupport
import Testing

@Suite("Sorted indexes with a custom order", .oneThread)
struct CustomOrderTests {
  private func events(_ years: Int...) throws -> EntityTable<Event> {
    try EntityTable(years.enumerated().map { Event(id: $0, year: $1) })
  }

  @Test func `a range is given in the order of the index, from its first key through its last`() throws {
    let events = try events(1980, 1990, 1995, 2000, 2010)
    #expect(events[Event.newest, from: 2000, through: 1990].map(\.year) == [2000, 1995, 1990])
    #expect(events[Event.newest, from: 2005, through: 1985].map(\.year) == [2000, 1995, 1990])
    #expect(events[Event.newest, from: 1990].map(\.year) == [1990, 1980])
    #expect(events[Event.newest, through: 2000].map(\.year) == [2010, 2000])
    #expect(events[Event.newest, from: 1995, through: 1995].map(\.year) == [1995])
    #expect(events[Event.newest, from: 1990, through: 2000].isEmpty)
    #expect(events[Event.newest, from: 1900].isEmpty)
    #expect(events[Event.newest, through: 2020].isEmpty)
    #expect(EntityTable<Event>()[Event.newest, from: 1990].isEmpty)
  }

  @Test func `keys that the order does not distinguish are in the same range`() throws {
    let events = try events(3, -2, 1, 2, -1, -3, 0)
    #expect(events[Event.nearest].map(\.year) == [0, 1, -1, -2, 2, 3, -3])
    #expect(events[Event.nearest, from: -1, through: 2].map(\.year) == [1, -1, -2, 2])
    #expect(events[Event.nearest, from: 2].map(\.year) == [-2, 2, 3, -3])
    #expect(events[Event.nearest, through: -1].map(\.year) == [0, 1, -1])
  }

  @Test func `records in a custom order have ranges from one record through another`() throws {
    let events = try events(1980, 1990, 1995, 2000)
    let (first, last) = (Event(id: 9, year: 1999), Event(id: 9, year: 1990))
    #expect(events[Event.recordsNewest, from: first, through: last].map(\.year) == [1995, 1990])
  }

  @Test func `keys without == have an order and ranges`() throws {
    let events = try events(1, 2, 3, 4, 5)
    #expect(events[Event.oddFirst].map(\.year) == [1, 3, 5, 2, 4])
    #expect(events[Event.oddFirst, from: (0, 3), through: (1, 2)].map(\.year) == [3, 5, 2])
  }

  @Test func `a Swift range does not compile for a custom order`() throws {
    let events = try events(1980, 1995)
    #expect(type(of: events[Event.newest, 1990...2000] as Any) == NoSubscript.self)
    #expect(type(of: events[Event.nearest, ..<1990] as Any) == NoSubscript.self)
    #expect(type(of: events[Event.byYear, 1990...2000] as Any) == EntityList<Event>.self)
  }

  @Test func `NaN comes last in a descending order too, and is in no range`() throws {
    var random = SplitMix64(seed: 1)
    func value() -> Double { random.once(in: 3) ? .nan : Double(Int.random(in: 0..<50, using: &random)) }
    var samples = try EntityTable((0..<300).map { Measure(id: $0, value: value()) })
    for id in 0..<200 { try samples.update(id) { $0.value = value() } }
    for id in 250..<400 { try samples.upsert(Measure(id: id, value: value())) }
    for id in 0..<50 { samples.remove(id) }
    samples.checkInvariants()
    let numbers = samples.map(\.value).filter { !$0.isNaN }.sorted(by: >)
    let list = samples[Measure.largest].map(\.value)
    #expect(Array(list.prefix(numbers.count)) == numbers)
    #expect(list.dropFirst(numbers.count).allSatisfy { $0.isNaN })
    #expect(samples[Measure.largest, from: 30].map(\.value) == numbers.filter { $0 <= 30 })
    #expect(samples[Measure.largest, through: 30].map(\.value) == numbers.filter { $0 >= 30 })
    #expect(samples[Measure.largest, from: 30, through: .nan].map(\.value) == numbers.filter { $0 <= 30 })
    #expect(samples[Measure.largest, from: .nan].isEmpty)
  }

  @Test func `with a closure that defines no order, each record is listed once, and no range stops the program`()
    throws
  {
    var random = SplitMix64(seed: 2)
    func year() -> Int { .random(in: 0..<40, using: &random) }
    var events = try EntityTable((0..<150).map { Muddle(id: $0, year: year()) })
    func expectOnce(_ index: SortedIndex<Muddle, CustomOrder<Int>>) throws {
      try #require(events[index].ids.sorted() == events.ids.sorted())
      let part = events[index, from: year(), through: year()].ids
      try #require(Set(part).count == part.count)
      try #require(events[index, from: year()].count <= events.count)
      try #require(events[index, through: year()].count <= events.count)
    }
    for _ in 0..<250 {
      let id = Int.random(in: 0..<180, using: &random)
      if random.once(in: 2) { try events.upsert(Muddle(id: id, year: year())) } else { events.remove(id) }
      for index in Muddle.muddles { try expectOnce(index) }
    }
    for id in Array(events.ids) { events.remove(id) }
    for index in Muddle.muddles { #expect(events[index].isEmpty) }
  }
}

/// A record with custom orders.
private struct Event: IndexedEntity {
  let id: Int
  var year: Int

  static let byYear = SortedIndex(\Event.year)
  static let newest = SortedIndex(\Event.year, by: >)
  static let nearest = SortedIndex(\Event.year) { abs($0) < abs($1) }
  static let recordsNewest = SortedIndex<Event, _> { $0.year > $1.year }
  static let oddFirst = SortedIndex({ (event: Event) in ((event.year + 1) % 2, event.year) }, by: <)

  static var indexes: [any EntityIndex<Event>] { [byYear, newest, nearest, recordsNewest, oddFirst] }
}

/// A record whose key may be NaN.
private struct Measure: IndexedEntity {
  let id: Int
  var value: Double

  static let largest = SortedIndex(\Measure.value) { $0 > $1 }

  static var indexes: [any EntityIndex<Measure>] { [largest] }
}

/// A record with closures that define no order of its keys.
private struct Muddle: IndexedEntity {
  let id: Int
  var year: Int

  static let muddles = [
    SortedIndex(\Muddle.year) { _, _ in true },
    SortedIndex(\Muddle.year) { $0 <= $1 },
    SortedIndex(\Muddle.year) { ($0 - $1 + 60) % 3 == 1 },
    SortedIndex(\Muddle.year) { ($0 &* 31 ^ $1 &* 17) % 3 == 0 },
  ]

  static var indexes: [any EntityIndex<Muddle>] { muddles }
}

/// The result if a table has no specific subscript for an index and a range.
private struct NoSubscript {}

extension EntityTable {
  fileprivate subscript(index: some EntityIndex<Element>, keys: some Any) -> NoSubscript { NoSubscript() }
}
