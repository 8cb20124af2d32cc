import Arbor
import ArborEntities
import ArborTesting
import Testing

/// Regression tests for bugs that were fixed.
@Suite("Entity regressions")
struct RegressionTests {
  @Test func `a record derived while the owner is released is nil, and the program does not stop`() {
    let holder = Holder()
    let factory = StoreFactory<Leaving, Never>(initialState: Leaving(holder: holder)) { _, _ in }
    let store = factory.rootStore()
    holder.keep(factory)
    func ask(_ store: Store<Leaving, Never>) -> Derived<Plain?>? { store.derived(entity: 1, in: \.table) }
    // The key path of the table releases the owner.
    withExtendedLifetime(consume factory) {}
    #expect(ask(store) == nil)
  }

  @Test func `a record derived inside an observer is that of the delivered step, and is followed`() {
    let executor = ManualExecutor()
    let factory = Shelves.store(executor: executor)
    let store = factory.rootStore()
    let told = Told<String?>()
    let kept = Told<Derived<Scroll?>>()
    let subscription = store.observe(initial: false) { (_: Shelves) in
      let scroll = store.derived(entity: 9, in: \.scrolls)!
      told.append(scroll.value?.title)
      kept.append(scroll)
    }
    // There is already a feed, which is notified of the step after that observer.
    let early = store.derived(entity: 1, in: \.scrolls)
    store.dispatch(Mutation { try! $0.scrolls.insert(Scroll(id: 9, title: "nine", scribe: "ada")) })
    executor.run()
    #expect(told.values == ["nine"])
    store.dispatch(Mutation { $0.scrolls.remove(9) })
    executor.run()
    #expect(kept.values[0].value == nil)
    withExtendedLifetime((subscription, early)) {}
  }

  @Test func `a comparator that puts a record before itself loses no records`() throws {
    var records: EntityTable<Loose> = [Loose(id: 1, year: 1)]
    try records.update(1) { $0.year = 2 }
    #expect(records[Loose.byYear].ids == [1])
    records.remove(1)
    #expect(records[Loose.byYear].isEmpty)
  }

  @Test func `an id that is equal but has a different hash is a different id`() throws {
    var records: EntityTable<Folded> = [Folded(id: .init(text: "ada"))]
    #expect(throws: EntityError<Folded>.changedID(from: .init(text: "ada"), to: .init(text: "ADA"))) {
      try records.update(.init(text: "ada")) { $0.id = .init(text: "ADA") }
    }
    records.remove(.init(text: "ada"))
    #expect(records.isEmpty)
    records.checkInvariants()
  }

  @Test func `a key that changes inside an object leaves no record in its group`() throws {
    let box = Box("a")
    var records: EntityTable<Boxed> = [Boxed(id: 1, box: box), Boxed(id: 2, box: Box("c"))]
    box.set("b")
    records.remove(1)
    #expect(records[Boxed.byText, "a"].isEmpty)
    records.checkInvariants()
  }

  @Test func `equal tables that are renamed in the same way are equal, including groups`() throws {
    let before = try EntityTable((0..<20).map { Loose(id: $0, year: $0) })
    var (first, second) = (before, before)
    var names: [Int: Int] = [:]
    names.reserveCapacity(5_000)
    for id in 0..<20 { names[id] = id + 100 }
    try first.rename(Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, $0 + 100) })) { ($0.id, $0.year) = ($1, $1) }
    try second.rename(names) { ($0.id, $0.year) = ($1, $1) }
    #expect(first.keys(of: Loose.ofYear) == second.keys(of: Loose.ofYear))
  }

  @Test func `at the end of the slots a bulk operation is checked as a whole`() throws {
    var books: EntityTable<Book> = [Book(id: 1, title: "", isbn: "1"), Book(id: 2, title: "", isbn: "2")]
    books.skipSlots(leaving: 1)
    try books.upsert(contentsOf: [
      Book(id: 1, title: "", isbn: "2"), Book(id: 3, title: ""), Book(id: 4, title: ""),
      Book(id: 2, title: "", isbn: "1"),
    ])
    books.checkInvariants()
    #expect(books[Book.byISBN, "1"]?.id == 2)
  }

  @Test func `merging nothing does not count as a change`() throws {
    var (books, emptied) = (EntityTable<Book>(), try Book.table())
    emptied.removeAll()
    let stamp = books.stamp
    try books.merge(emptied)
    #expect(books.stamp == stamp)
  }
}

private final class Holder: Sendable {
  private let factory = Protected<StoreFactory<Leaving, Never>?>(nil)

  func keep(_ factory: StoreFactory<Leaving, Never>) {
    self.factory.withLock { $0 = factory }
  }

  func letGo() {
    let last = factory.withLock { factory in
      defer { factory = nil }
      return factory
    }
    withExtendedLifetime(last) {}
  }
}

private struct Leaving: Sendable {
  let holder: Holder
  let stored: EntityTable<Plain> = [Plain(id: 1)]

  var table: EntityTable<Plain> {
    holder.letGo()
    return stored
  }
}

private struct Loose: IndexedEntity, Equatable {
  var id: Int
  var year: Int

  static let byYear = SortedIndex<Loose, _>(by: { $0.year <= $1.year })
  static let ofYear = GroupedIndex(\Loose.year)

  static var indexes: [any EntityIndex<Loose>] { [byYear, ofYear] }
}

private struct Folded: Identifiable, Equatable, Sendable {
  struct ID: Hashable, Sendable {
    let text: String

    static func == (left: ID, right: ID) -> Bool { left.text.lowercased() == right.text.lowercased() }

    func hash(into hasher: inout Hasher) {
      hasher.combine(text)
    }
  }

  var id: ID
}

private final class Box: Sendable {
  private let content: Protected<String>

  init(_ text: String) { content = Protected(text) }

  var text: String { content.withLock { $0 } }

  func set(_ text: String) {
    content.withLock { $0 = text }
  }
}

private struct Boxed: IndexedEntity {
  let id: Int
  let box: Box

  static let byText = GroupedIndex { (boxed: Boxed) in boxed.box.text }

  static var indexes: [any EntityIndex<Boxed>] { [byText] }
}
