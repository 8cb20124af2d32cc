import Arbor
import ArborEntities
import ArborUI
import Observation
import TestSupport
import Testing

@MainActor
@Suite("Rows of a list")
struct StoreRowsTests {
  struct Book: IndexedEntity, Equatable, Sendable {
    let id: Int
    var title = ""
    var year = 0

    static let byYear = SortedIndex(\Book.year)
    static let byPlace = ManualOrder<Book>("place")
    static var indexes: [any EntityIndex<Book>] { [byYear, byPlace] }
  }

  struct Library: Equatable, Sendable {
    var books = EntityTable<Book>()
    var shelf: [Book] = []
    var other = 0

    var byYear: EntityList<Book> { books[Book.byYear] }
    var byPlace: EntityList<Book> { books[Book.byPlace] }
  }

  enum BookAction: Equatable, Sendable {
    case title(String)
  }

  enum LibraryAction: Sendable {
    case change(@Sendable (inout Library) -> Void)
    case book(Int, BookAction)
  }

  let factory = StoreFactory<Library, LibraryAction>(
    initialState: {
      var library = Library()
      for id in 0..<5 {
        try! library.books.insert(Book(id: id, title: "\(id)", year: 10 - id))
        try! library.books.append(id, to: Book.byPlace)
        library.shelf.append(Book(id: id, title: "\(id)"))
      }
      return library
    }()
  ) { library, action in
    switch action {
    case .change(let change): change(&library)
    case .book(let id, .title(let title)):
      try? library.books.update(id) { $0.title = title }
      for index in library.shelf.indices where library.shelf[index].id == id { library.shelf[index].title = title }
    }
  }

  private var store: ObservableStore<Library, LibraryAction> { factory.observable() }

  /// Counts the notifications of a function's reads, up to the first.
  private func notifications(of read: () -> Void) -> () -> Int {
    nonisolated(unsafe) var count = 0  // Used only on the main actor.
    withObservationTracking(read) { count += 1 }
    return { count }
  }

  @Test func `a reader of a row is notified of its own record only, and a reader of the list of none`() {
    let store = store
    let rows = store.rows(of: \.books, action: LibraryAction.book)
    let all = rows.ids.map { rows[$0]! }
    let list = notifications { _ = rows.ids }
    let told = all.map { row in notifications { _ = row.title } }
    let year = notifications { _ = all[2].year }
    all[2].send(.title("Emma"))
    #expect(told.map { $0() } == [0, 0, 1, 0, 0])
    #expect(year() == 0)
    #expect(list() == 0)
    #expect(all.map(\.title) == ["0", "1", "Emma", "3", "4"])
  }

  @Test func `a list in the order of an index follows changes of its records`() {
    let store = store
    let rows = store.rows(of: \.byYear, action: LibraryAction.book)
    #expect(rows.ids == [4, 3, 2, 1, 0])
    let row = rows[0]!
    let list = notifications { _ = rows.ids }
    row.send(.title("Emma"))
    #expect(list() == 0)
    #expect(row.title == "Emma")
    store.dispatchAndWait(.change { try! $0.books.update(0) { $0.year = 0 } })
    #expect(list() == 1)
    #expect(rows.ids == [0, 4, 3, 2, 1])
    #expect(rows[0] === row)
    #expect(row.year == 0)
    #expect(rows.id(at: 1, moving: [4]) == 4)
    #expect(rows.id(at: 1, moving: [1, 2]) == 2)
    #expect(rows.id(at: 3, moving: [3, 4]) == nil)
    #expect(rows.id(at: 5, moving: [0]) == nil)
  }

  @Test func `a list in a manual order follows moves`() {
    let store = store
    let rows = store.rows(of: \.byPlace)
    let ids = rows.ids(at: [3])
    store.dispatchAndWait(.change { try! $0.books.move(ids[0], to: 0, in: Book.byPlace) })
    #expect(rows.ids == [3, 0, 1, 2, 4])
  }

  @Test func `an array has rows as well`() {
    let store = store
    let rows = store.rows(of: \.shelf, action: LibraryAction.book)
    let (first, last) = (rows[0]!, rows[4]!)
    let (untouched, told) = (notifications { _ = first.title }, notifications { _ = last.title })
    last.send(.title("Emma"))
    #expect(untouched() == 0)
    #expect(told() == 1)
    store.dispatchAndWait(.change { $0.shelf.swapAt(0, 4) })
    #expect(rows.ids == [4, 1, 2, 3, 0])
    #expect(rows[4] === last)
    store.dispatchAndWait(.change { $0.shelf.removeAll { $0.id == 4 } })
    #expect(last.title == "Emma")
  }

  @Test func `a row is released with the view that keeps it`() {
    let store = store
    let rows = store.rows(of: \.books, action: LibraryAction.book)
    weak let row = rows[1]
    #expect(row == nil)
    let kept = rows[1]
    #expect(rows[1] === kept)
  }

  @Test func `a row is updated as long as a view keeps it, even if nothing keeps the rows`() {
    let store = store
    let row = store.rows(of: \.books, action: LibraryAction.book)[1]!
    row.send(.title("Emma"))
    #expect(row.title == "Emma")
  }

  @Test func `a dump of a store does not show the engine`() {
    func show(_ value: Any, _ depth: Int) -> Int {
      depth == 0 ? 0 : Mirror(reflecting: value).children.reduce(1) { $0 + show($1.value, depth - 1) }
    }
    #expect(show(store, 12) > 1)
    #expect(show(factory, 12) > 1)
  }

  @Test func `a record that is inserted again is the row's record`() {
    let store = store
    let rows = store.rows(of: \.books, action: LibraryAction.book)
    let row = rows[1]!
    store.dispatchAndWait(.change { $0.books.remove(1) })
    #expect(row.title == "1")
    store.dispatchAndWait(.change { try! $0.books.insert(Book(id: 1, title: "again")) })
    #expect(rows[1] === row)
    #expect(row.title == "again")
    #expect(rows.ids == [0, 2, 3, 4, 1])
  }

  @Test func `the rows of a table of commits are changed in place`() {
    let factory = StoreFactory(initialState: Library())
    factory.commit { try! $0.books.insert(Book(id: 7, title: "old")) }
    let store = factory.observable()
    let rows = store.rows(of: \.books)
    let row = rows[7]!
    row.title = "new"
    #expect(factory.state.books[7]?.title == "new")
    #expect(row.title == "new")
    factory.commit { $0.books.remove(7) }
    row.title = "late"
    #expect(factory.state.books.isEmpty)
    #expect(row.title == "new")
  }

  @Test(arguments: 0..<20)
  func `rows match the table after any changes`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let store = store
    let table = store.rows(of: \.books, action: LibraryAction.book)
    let sorted = store.rows(of: \.byYear, action: LibraryAction.book)
    var kept: [Int: ObservableStore<Book, BookAction>] = [:]
    for _ in 0..<100 {
      let id = Int.random(in: 0..<20, using: &random)
      let year = Int.random(in: 0..<20, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: store.dispatchAndWait(.change { $0.books.remove(id) })
      case 1: store.dispatchAndWait(.change { try? $0.books.insert(Book(id: id, title: "\(year)")) })
      case 2: store.dispatchAndWait(.change { try? $0.books.update(id) { $0.year = year } })
      default: store.send(.book(id, .title("\(year)")))
      }
      let state = factory.state
      #expect(table.ids == Array(state.books.ids))
      #expect(sorted.ids == state.byYear.ids)
      if let row = sorted[id] { kept[id] = row }
      for (id, row) in kept where state.books[id] != nil { #expect(row.state == state.books[id]) }
    }
  }

  @Test func `if elements of an array have the same id, the first one is the row`() {
    let store = store
    store.dispatchAndWait(.change { $0.shelf = [Book(id: 1, title: "first"), Book(id: 1, title: "second")] })
    let row = store.rows(of: \.shelf, action: LibraryAction.book)[1]!
    let told = notifications { _ = row.title }
    store.dispatchAndWait(.change { $0.shelf.append(Book(id: 2)) })
    #expect(row.title == "first")
    #expect(told() == 0)
  }

  @Test func `rows of one list with different actions are different objects`() {
    let store = store
    let rows = store.rows(of: \.shelf, action: LibraryAction.book)
    let others = store.rows(of: \.shelf, action: { (_: Int, action: BookAction) in LibraryAction.book(-1, action) })
    let plain = store.rows(of: \.shelf)
    #expect(rows !== others)
    #expect(rows as AnyObject !== plain as AnyObject)
  }

  /// The number of computations of ``old``.
  private nonisolated static let computations = Protected(0)

  private static let old = StateSelector(\Library.books) { books in
    computations.withLock { $0 += 1 }
    return Array(books).filter { $0.year > 7 }
  }

  private static let since = StateSelector.family { (year: Int) in
    StateSelector(\Library.books) { books in Array(books).filter { $0.year >= year } }
  }

  @Test func `rows of a selector are computed once per step and notified of their own records`() {
    let store = store
    let rows = store.rows(of: StoreRowsTests.old, action: LibraryAction.book)
    #expect(rows.ids == [0, 1, 2])
    let (first, second) = (rows[0]!, rows[1]!)
    let list = notifications { _ = rows.ids }
    let told = [first, second].map { row in notifications { _ = row.title } }
    store.send(.book(0, .title("Emma")))
    #expect(list() == 0)
    #expect(told.map { $0() } == [1, 0])
    #expect(first.title == "Emma")
    // Neither reading rows nor steps that change no input compute it.
    let before = StoreRowsTests.computations.withLock { $0 }
    store.send(.change { $0.other += 1 })
    _ = rows.ids.map { rows[$0]?.title }
    #expect(StoreRowsTests.computations.withLock { $0 } == before)
    store.send(.change { $0.books.remove(4) })
    #expect(StoreRowsTests.computations.withLock { $0 } == before + 1)
    first.send(.title("Sense"))
    #expect(first.title == "Sense")
  }

  @Test func `the row of a record that has left a selector's list keeps its value and ignores writes`() {
    let store = store
    let rows = store.rows(of: StoreRowsTests.old, action: LibraryAction.book)
    let row = rows[2]!
    store.send(.change { try! $0.books.update(2) { $0.year = 1 } })
    #expect(rows.ids == [0, 1])
    row.send(.title("late"))
    #expect(row.title == "2")
    #expect(factory.state.books[2]?.title == "2")
    store.send(.change { try! $0.books.update(2) { $0.year = 20 } })
    #expect(rows[2] === row)
    row.send(.title("again"))
    #expect(row.title == "again")
  }

  @Test func `rows of a selector are the same each time, and different for another selector of a family`() {
    let store = store
    func rows(_ year: Int) -> StoreRows<[Book], LibraryAction> { store.rows(of: StoreRowsTests.since(year)) }
    let (all, some) = (rows(0), rows(9))
    #expect(all === rows(0))
    #expect(all !== some)
    #expect(all.ids == [0, 1, 2, 3, 4])
    #expect(some.ids == [0, 1])
    all[0]?.send(.change { $0.books.remove(0) })
    #expect(some.ids == [1])
    let ofActions = store.rows(of: StoreRowsTests.since(0), action: LibraryAction.book)
    #expect(all as AnyObject !== ofActions as AnyObject)
  }

  @Test func `rows of one selector with different actions are different objects`() {
    let store = store
    let rows = store.rows(of: StoreRowsTests.old, action: LibraryAction.book)
    let others = store.rows(
      of: StoreRowsTests.old, action: { (_: Int, action: BookAction) in LibraryAction.book(-1, action) })
    #expect(rows !== others)
    others[0]?.send(.title("nobody's"))
    rows[1]?.send(.title("Emma"))
    #expect(rows.ids.map { rows[$0]?.title } == ["0", "Emma", "2"])
  }

  @Test func `rows of a selector of a nil scope follow the scope when it has a value again`() {
    struct Window: Sendable {
      var library: Library?
    }
    let factory = StoreFactory<Window, LibraryAction>(
      initialState: Window(library: self.factory.state)
    ) { window, action in
      switch action {
      case .change(let change):
        var library = window.library ?? Library()
        change(&library)
        window.library = library
      case .book(-1, _): window.library = nil
      case .book: break
      }
    }
    let store = factory.scopeStore(toOptional: \.library).observable()!
    factory.dispatchAndWait(.book(-1, .title("")))
    let rows = store.rows(of: StoreRowsTests.old)
    #expect(rows.ids == [0, 1, 2])
    factory.dispatchAndWait(.change { _ in })
    #expect(rows.ids == [])
    factory.dispatchAndWait(.change { try! $0.books.insert(Book(id: 9, year: 9)) })
    #expect(rows.ids == [9])
  }

  @Test func `rows of one call site are the same if their function captures nothing`() {
    let store = store
    func rows() -> StoreRows<EntityTable<Book>, BookAction> { store.rows(of: \.books, action: LibraryAction.book) }
    func closure() -> StoreRows<EntityTable<Book>, BookAction> { store.rows(of: \.books, action: { .book($0, $1) }) }
    let (first, second) = (rows(), closure())
    #expect(first === rows())
    #expect(second === closure())
    func scope() -> ObservableStore<[Book], LibraryAction> { store.scope(to: \.shelf, action: { $0 }) }
    let shelf = scope()
    #expect(shelf === scope())
  }

  @Test func `rows of one call site whose functions capture different values send their own actions`() {
    let store = store
    func rows(_ prefix: String) -> StoreRows<EntityTable<Book>, String> {
      store.rows(of: \.books, action: { id, title in .book(id, .title(prefix + title)) })
    }
    let (first, second) = (rows("first "), rows("second "))
    first[1]!.send("Emma")
    #expect(first[1]?.title == "first Emma")
    second[1]!.send("Emma")
    #expect(first[1]?.title == "second Emma")
  }
}
