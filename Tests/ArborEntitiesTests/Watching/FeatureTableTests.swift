import Arbor
import ArborEntities
import ArborTesting
import TestSupport
import Testing

@Suite("A feature of the records of a table")
struct FeatureTableTests {
  struct Book: Equatable, Identifiable, Sendable {
    let id: Int
    var pages = 0
    var marks: [Int] = []
  }

  enum BookAction: Equatable, Sendable {
    case read(Int)
    case print
    case printed
  }

  struct Shelf: Equatable, Sendable {
    var books = EntityTable<Book>()
    var printed = 0
  }

  enum ShelfAction: Equatable, Sendable {
    case book(Int, BookAction)
    case remove(Int)

    var book: (Int, BookAction)? { if case .book(let id, let action) = self { (id, action) } else { nil } }
  }

  let executor = ManualExecutor()
  let clock = TestClock()

  private func makeStore(_ ids: [Int]) throws -> StoreFactory<Shelf, ShelfAction> {
    let book = Feature<Book, BookAction>(
      effects: { [clock] book, action in
        guard action == .print else { return .none }
        return .run(key: "print") { dispatch in
          try await clock.sleep(for: .seconds(book.id))
          dispatch(.printed)
        }
      },
      reducer: { book, action in
        switch action {
        case .read(let pages): book.pages += pages
        case .print: break
        case .printed: book.marks.append(book.pages)
        }
      }
    )
    return StoreFactory(
      initialState: Shelf(books: try EntityTable(ids.map { Book(id: $0) })),
      feature: Feature<Shelf, ShelfAction>.combined(
        book.forEach(\.books, action: ShelfAction.book, extract: \.book),
        Feature { shelf, action in
          switch action {
          case .remove(let id): shelf.books.remove(id)
          case .book(_, .printed): shelf.printed += 1
          case .book: break
          }
        }
      ),
      settings: TreeSettings(executor: executor)
    )
  }

  @Test func `an action belongs to the record with its id; for a missing record it changes nothing`() throws {
    let factory = try makeStore([1, 2])
    let stamp = factory.state.books.stamp(of: 1)
    factory.dispatchAndWait(.book(2, .read(5)))
    factory.dispatchAndWait(.book(3, .read(5)))
    #expect(factory.state.books.map(\.pages) == [0, 5])
    #expect(factory.state.books.stamp(of: 1) == stamp)
  }

  @Test func `F3 the tasks of a removed record are canceled, and those of the others continue`() throws {
    let factory = try makeStore([1, 2])
    factory.dispatch(.book(1, .print))
    factory.dispatch(.book(2, .print))
    executor.run()
    factory.dispatch(.remove(1))
    executor.run()
    clock.advance(by: .seconds(5))
    executor.run()
    #expect(factory.state.printed == 1)
    #expect(factory.state.books[2]?.marks == [0])
    #expect(clock.sleepers == 0)
  }

  @Test func `F4 a record's keys are reached by the table's key path and its id`() throws {
    let factory = try makeStore([1, 2])
    factory.dispatch(.book(1, .print))
    factory.dispatch(.book(2, .print))
    executor.run()
    factory.cancel("print", at: .element(2, of: \.books))
    clock.advance(by: .seconds(5))
    executor.run()
    #expect(factory.state.books.map(\.marks) == [[0], []])
  }

  struct Named: UniquelyIndexedEntity, Equatable {
    let id: Int
    var name: String

    static let byName = UniqueIndex(\Named.name)
    static var indexes: [any EntityIndex<Named>] { [byName] }
  }

  struct Names: Equatable, Sendable {
    var table = try! EntityTable([Named(id: 1, name: "a"), Named(id: 2, name: "b")])
    var problem: String?
  }

  @Test func `a record that the table refuses is unchanged, and the state can record why`() {
    let naming = Feature<Named, String> { record, name in record.name = name }
    let feature = naming.forEach(
      \Names.table,
      action: { id, name in (id, name) },
      extract: { $0 },
      onRefusal: { names, error in names.problem = "\(error)" }
    )
    let factory = StoreFactory(initialState: Names(), feature: feature, settings: TreeSettings(executor: executor))
    factory.dispatchAndWait((1, "b"))
    #expect(factory.state.table.map(\.name) == ["a", "b"])
    #expect(factory.state.problem == #"Named 1 would have the key "b", which Named 2 already has"#)
    factory.dispatchAndWait((1, "c"))
    #expect(factory.state.table.map(\.name) == ["c", "b"])
  }

  @Test func `F3 a record removed because another one was refused has its tasks canceled in that step`() {
    let naming = Feature<Named, String>(
      effects: { [clock] _, _ in .run { _ in try await clock.sleep(for: .seconds(1)) } },
      reducer: { record, name in record.name = name }
    )
    let feature = naming.forEach(
      \Names.table,
      action: { id, name in (id, name) },
      extract: { $0 },
      onRefusal: { names, _ in names.table.remove(2) }
    )
    let factory = StoreFactory(initialState: Names(), feature: feature, settings: TreeSettings(executor: executor))
    factory.dispatch((1, "c"))
    factory.dispatch((2, "d"))
    factory.dispatch((1, "e"))
    executor.run()
    #expect(clock.sleepers == 3)
    factory.dispatch((1, "d"))
    executor.run()
    #expect(factory.state.table.map(\.name) == ["e"])
    #expect(clock.sleepers == 3)
  }

  @Test func `F3 a record replaced by an equal one is compared with the one its effects performed`() throws {
    struct Lamp: Identifiable, Equatable, Sendable {
      let id: Int
      var isOn = false

      static func == (left: Lamp, right: Lamp) -> Bool { left.id == right.id }
    }
    let lamp = Feature<Lamp, Bool>(stateEffects: [
      StateEffect(while: \.isOn) { [clock] _ in .run { _ in try await clock.sleep(for: .seconds(1)) } }
    ])
    let factory = StoreFactory(
      initialState: try EntityTable([Lamp(id: 1), Lamp(id: 2)]),
      feature: Feature<EntityTable<Lamp>, Bool?>.combined(
        lamp.forEach(\EntityTable<Lamp>.self, action: { _, isOn in isOn }, extract: { _ in nil }),
        Feature { lamps, isOn in if let isOn { try? lamps.update(1) { $0.isOn = isOn } } }
      ),
      settings: TreeSettings(executor: executor)
    )
    for action in [nil, nil, true] { factory.dispatch(action) }
    executor.run()
    #expect(clock.sleepers == 1)
    factory.dispatch(false)
    executor.run()
    #expect(clock.sleepers == 0)
  }

  @Test func `a feature's refused record is reported if the state cannot record why`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let feature = Feature<Named, String> { record, name in record.name = name }
      let factory = StoreFactory(
        initialState: Names(),
        feature: feature.forEach(\.table, action: { id, name in (id, name) }, extract: { $0 })
      )
      await factory.dispatchAndWait((1, "b"))
      try #require(factory.state == Names())
    }
    expect(result, contains: "An EntityTable refused a record")
  }

  @Test func `a computed table is assigned only for an existing record`() throws {
    struct Whole: Sendable {
      var stored: EntityTable<Book>
      var assignments = 0
      var books: EntityTable<Book> {
        get { stored }
        set {
          stored = newValue
          assignments += 1
        }
      }
    }
    let book = Feature<Book, BookAction> { book, action in if case .read(let pages) = action { book.pages += pages } }
    let factory = StoreFactory(
      initialState: Whole(stored: try EntityTable([Book(id: 1)])),
      feature: book.forEach(\Whole.books, action: ShelfAction.book, extract: \.book),
      settings: TreeSettings(executor: executor)
    )
    factory.dispatchAndWait(.book(2, .read(1)))
    #expect(factory.state.assignments == 0)
    factory.dispatchAndWait(.book(1, .read(1)))
    #expect(factory.state.assignments == 1)
    #expect(factory.state.stored[1]?.pages == 1)
  }

  @Test func `F3 a step compares only the records that another reducer has changed`() throws {
    let compared = RecordedValues<Int>()
    let running = RecordedValues<Int>()
    let book = Feature<Book, BookAction>(
      stateEffects: [
        StateEffect(onChange: { (book: Book) in
          compared.append(book.id)
          return book.pages
        }) { book in
          running.append(book.id)
          return .none
        }
      ],
      reducer: { _, _ in }
    )
    let factory = StoreFactory<Shelf, @Sendable (inout EntityTable<Book>) -> Void>(
      initialState: Shelf(books: try EntityTable((0..<1_000).map { Book(id: $0) })),
      feature: .combined(
        book.forEach(\.books, action: { _, _ in { _ in } }, extract: { _ in nil }),
        Feature { shelf, change in change(&shelf.books) }
      ),
      settings: TreeSettings(executor: executor)
    )
    func comparisons(after change: @escaping @Sendable (inout EntityTable<Book>) -> Void) -> [Int] {
      compared.removeAll()
      factory.dispatch(change)
      executor.run()
      return compared.values
    }
    executor.run()
    _ = comparisons { $0[0]?.pages = 1 }
    #expect(comparisons { $0[500]?.pages = 7 } == [500])
    #expect(comparisons { _ in } == [])
    #expect(comparisons { $0[1_000] = Book(id: 1_000, pages: 1) } == [1_000])
    #expect(comparisons { $0[3] = nil } == [])
    #expect(comparisons { $0[3] = Book(id: 3, pages: 2) } == [3])
    #expect(comparisons { ($0[999]!.pages, $0[4]!.pages) = (1, 1) } == [4, 999])
    #expect(running.values == [0, 500, 4, 999])
  }
}
