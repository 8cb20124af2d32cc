import Arbor
import Foundation
import TestSupport
import Testing

@Suite("Stamped values")
struct StampedTests {
  struct Failure: Error {}

  struct Shelf: Codable, Equatable, Sendable {
    @Stamped var books: [String] = []
    var name = "Shelf"
  }

  struct PlainShelf: Codable, Equatable {
    var books: [String]
    var name: String
  }

  @Test func `an unchanged copy stays equal`() {
    let shelf = Shelf(books: ["Emma"])
    var copy = shelf
    #expect(copy == shelf)
    copy.name = "Other"
    copy.name = "Shelf"
    #expect(copy == shelf)
    #expect(copy.hashed == shelf.hashed)
  }

  @Test func `diverged copies are never equal, not even with equal values`() {
    let shelf = Shelf(books: ["Emma"])
    var (left, right) = (shelf, shelf)
    left.books.append("Persuasion")
    #expect(left != shelf)
    right.books.append("Persuasion")
    #expect(left != right)
    left.books.removeLast()
    #expect(left != shelf)
    #expect(shelf.books == ["Emma"] && left.books == ["Emma"] && right.books == ["Emma", "Persuasion"])
  }

  @Test func `every way to change the value gives a new stamp`() {
    var shelf = Shelf(books: ["Emma"])
    func change(_ books: inout [String]) { books[0] = "Emma" }
    func fail(_ books: inout [String]) throws {
      books.append("Persuasion")
      throw Failure()
    }
    var stamps = [shelf.stamp]
    shelf.books = shelf.books
    stamps.append(shelf.stamp)
    change(&shelf.books)
    stamps.append(shelf.stamp)
    shelf.books.reserveCapacity(1)
    stamps.append(shelf.stamp)
    #expect(throws: Failure.self) { try fail(&shelf.books) }
    stamps.append(shelf.stamp)
    #expect(shelf.books == ["Emma", "Persuasion"])
    #expect(Set(stamps).count == 5)
  }

  @Test func `ten million changes never repeat a stamp`() {
    var number = Stamped(wrappedValue: 0)
    var last = number.stamp
    var repeated = 0
    let count = repetitions(10_000_000)
    for _ in 0..<count {
      number.wrappedValue &+= 1
      if number.stamp <= last { repeated += 1 }
      last = number.stamp
    }
    #expect(number.wrappedValue == count)
    #expect(repeated == 0)
  }

  @Test func `threads never take the same stamp`() {
    let taken = RecordedValues<[UInt64]>()
    onThreads(4) { _ in
      var number = Stamped(wrappedValue: 0)
      taken.append(
        (0..<10_000).map { _ in
          number.wrappedValue += 1
          return number.stamp
        }
      )
    }
    #expect(Set(taken.values.joined()).count == 40_000)
  }

  @Test func `a change is made in place`() {
    var numbers = Stamped(wrappedValue: Array(0..<1000))
    let before = numbers.wrappedValue.withUnsafeBufferPointer { $0.baseAddress }
    for index in 0..<1000 { numbers.wrappedValue[index] += 1 }
    let after = numbers.wrappedValue.withUnsafeBufferPointer { $0.baseAddress }
    #expect(before == after)
  }

  @Test func `it is encoded as its value, and a decoded one has a separate stamp`() throws {
    let shelf = Shelf(books: ["Emma"])
    let data = try JSONEncoder().encode(shelf)
    let plain = try JSONDecoder().decode(PlainShelf.self, from: data)
    #expect(plain == PlainShelf(books: ["Emma"], name: "Shelf"))
    let decoded = try JSONDecoder().decode(Shelf.self, from: data)
    #expect(decoded.books == shelf.books)
    #expect(decoded != shelf)
  }

  @Test func `it prints as its value`() {
    #expect("\(Stamped(wrappedValue: ["Emma"]))" == #"["Emma"]"#)
  }

  @Test func `a part is compared by its stamp, not by its elements`() {
    struct Element: Sendable {
      let number: Int
    }
    struct Model: Sendable {
      @Stamped var elements = [Element(number: 1)]
      var count = 0
    }
    let store = CommitStore(initialState: Model())
    let counts = RecordedValues<Int>()
    let subscription = store.observe(removeDuplicates: .by(\.$elements)) { counts.append($0.elements.count) }
    store.commit { $0.count += 1 }
    store.commit { $0.elements.append(Element(number: 2)) }
    #expect(counts.values == [1, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test func `an observer that compares by the stamp keeps no value, so it is changed in place`() {
    struct Model: Sendable {
      @Stamped var numbers = Array(0..<1000)
    }
    let store = CommitStore(initialState: Model())
    let places = RecordedValues<Int>()
    let subscription = store.observe(removeDuplicates: .by(\.$numbers)) { model in
      places.append(model.numbers.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) })
    }
    for _ in 0..<4 { store.commit { $0.numbers[0] += 1 } }
    #expect(places.values.count == 5)
    #expect(Set(places.values).count == 1)
    withExtendedLifetime(subscription) {}
  }
}

extension StampedTests.Shelf {
  fileprivate var hashed: Int { _books.hashValue }
  fileprivate var stamp: UInt64 { _books.stamp }
}
