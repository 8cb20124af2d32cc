import Arbor
import ArborEntities
import TestSupport
import Testing

@Suite("Tables under stress")
struct TableStressTests {
  @Test func `batches of a thousand records from twenty threads all arrive, in a consistent table`() {
    let (threads, size) = (20, repetitions(1_000))
    let factory = StoreFactory<EntityTable<Book>, Book>(initialState: EntityTable()) { books, book in
      try? books.insert(book)
    }
    let store = factory.rootStore()
    let started = (0..<threads).map { thread in
      TestThread {
        store.dispatch(
          batch: (0..<size).map { number in
            let id = thread * size + number
            return Book(id: .init(id), title: "\(number)", author: "\(thread)", year: number, isbn: "\(id)")
          }
        )
      }
    }
    for thread in started { thread.join() }
    let books = factory.state
    #expect(books.count == threads * size)
    #expect(Set(books.ids) == Set((0..<threads * size).map { Book.ID($0) }))
    for thread in 0..<threads {
      // Each batch is one step, so its records are consecutive.
      let ids = books[Book.byAuthor, "\(thread)"].ids
      #expect(ids.map(\.rawValue) == Array(thread * size..<(thread + 1) * size))
    }
    #expect(books[Book.byYear, 7...7].count == threads)
    books.checkInvariants()
  }

  @Test func `snapshots are read on other threads while the table changes`() throws {
    let count = 300
    let shared = Protected(try books(count))
    let isDone = Protected(false)
    let readers = (0..<3).map { _ in
      TestThread {
        // Read at least once, even if all changes were made before this thread began.
        repeat {
          let snapshot = shared.withLock { $0 }
          let years = snapshot.map(\.year)
          precondition(Set(years).count == 1, "a snapshot has some records of one version and some of another")
          precondition(snapshot[Book.byAuthor, "nobody"].map(\.year) == years, "an index has another version")
          precondition(snapshot[Book.byTitle].count == count && snapshot[7]?.year == years[0])
          precondition(snapshot[Book.byISBN, "\(years[0]).7"]?.id == 7, "a key has another version")
        } while !isDone.withLock { $0 }
      }
    }
    var books = shared.withLock { $0 }
    for year in 1...max(repetitions(30), 6) {
      try books.updateAll { book in
        book.year = year
        book.isbn = "\(year).\(book.id.rawValue)"
      }
      let snapshot = books
      shared.withLock { $0 = snapshot }
    }
    isDone.withLock { $0 = true }
    for reader in readers { reader.join() }
    #expect(shared.withLock { $0 } == books)
    books.checkInvariants()
  }

  @Test func `copies are changed independently on many threads`() throws {
    let books = try books(200)
    let threads = 8
    let results = Protected([EntityTable<Book>]())
    let started = (0..<threads).map { thread in
      TestThread {
        var copy = books
        copy.removeAll { $0.id.rawValue % threads == thread }
        for id in Array(copy.ids) { try! copy.update(id) { $0.year += thread } }
        try! copy.rename([copy.first!.id: Book.ID(1_000 + thread)]) { $0.id = $1 }
        let result = copy
        results.withLock { $0.append(result) }
      }
    }
    for thread in started { thread.join() }
    let copies = results.withLock { $0 }
    #expect(Set(copies.map(\.stamp)).count == threads)
    for copy in copies {
      copy.checkInvariants()
      #expect(copy.count == 175)
      let thread = try #require(copy.first).id.rawValue - 1_000
      #expect(copy.allSatisfy { $0.year == thread })
      #expect(copy.difference(from: books).removed.contains(.init(thread)))
    }
    #expect(books.allSatisfy { $0.year == 0 })
    books.checkInvariants()
  }

  @Test func `records are derived and released on many threads while they change`() throws {
    let store = CommitStore(initialState: try books(100))
    let threads = (0..<4).map { thread in
      TestThread {
        for round in 0..<200 {
          let book = store.derived(entity: .init(round % 7), in: \.self)
          if round % 3 == thread % 3 {
            store.commit { try! $0.update(.init(round % 7)) { $0.title = "\(thread) \(round)" } }
          }
          #expect(book.value != nil)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(store.rootStore().elementFeedCount == 0)
  }

  private func books(_ count: Int) throws -> EntityTable<Book> {
    try EntityTable((0..<count).map { Book(id: .init($0), title: "\($0)", isbn: "0.\($0)") })
  }
}

/// A record with an index of each kind.
private struct Book: Identifiable, Hashable, Sendable {
  var id: TypedID<Book, Int>
  var title: String
  var author = "nobody"
  var year = 0
  var isbn: String
}

extension Book: UniquelyIndexedEntity {
  static let byTitle = SortedIndex(\Book.title)
  static let byYear = SortedIndex(\Book.year)
  static let byAuthor = GroupedIndex(\Book.author)
  static let byISBN = UniqueIndex(\Book.isbn)

  static var indexes: [any EntityIndex<Book>] { [byTitle, byYear, byAuthor, byISBN] }
}
