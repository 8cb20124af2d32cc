import Arbor
import ArborEntities
import ArborUI
import Observation
import Testing

/// Views that read a part of an object that nobody else keeps: `rows[id]?.title`.
@MainActor
@Suite("Reading what nobody keeps")
struct InlineReadingTests {
  struct Book: Identifiable, Equatable, Sendable {
    let id: Int
    var title: String
  }

  struct Library: Equatable, Sendable {
    var books = try! EntityTable([Book(id: 1, title: "Emma"), Book(id: 2, title: "Walden")])
    var shelf = Shelf()
    var lent: Book?
  }

  struct Shelf: Equatable, Sendable {
    var room = Room()
  }

  struct Room: Equatable, Sendable {
    var name = "Hall"
  }

  enum Change: Sendable {
    case rename(Int, String)
    case remove(Int)
    case room(String)
    case lend(Book)
  }

  private let factory = StoreFactory<Library, Change>(initialState: Library()) { library, change in
    switch change {
    case .rename(let id, let title): try? library.books.update(id) { $0.title = title }
    case .remove(let id): library.books.remove(id)
    case .room(let name): library.shelf.room.name = name
    case .lend(let book): library.lent = book
    }
  }

  /// How often a function would be called anew that reads; it reads when it is told, as a view's body does later.
  @MainActor
  private final class Body {
    private let read: @MainActor () -> Void
    private(set) var count = 0

    init(_ read: @escaping @MainActor () -> Void) {
      self.read = read
      track()
    }

    func track() {
      withObservationTracking(read) { [weak self] in
        MainActor.assumeIsolated { self?.count += 1 }
      }
    }
  }

  private func rows(of store: ObservableStore<Library, Change>) -> StoreRows<EntityTable<Book>, String> {
    store.rows(of: \.books, action: Change.rename)
  }

  private func shelf(of store: ObservableStore<Library, Change>) -> ObservableStore<Shelf, Change> {
    store.scope(to: \.shelf, action: { $0 })
  }

  @Test func `A row is followed, and all of them in one body`() {
    let store = factory.observable()
    let body = Body {
      let rows = rows(of: store)
      for id in rows.ids { _ = rows[id]?.title }
    }
    for round in 1...3 {
      store.send(.rename(round % 2 + 1, "\(round)"))
      #expect(body.count == round)
      body.track()
    }
    store.send(.remove(1))
    #expect(body.count == 4)
  }

  @Test func `A scope is followed, and one of a scope`() {
    let store = factory.observable()
    let body = Body { _ = shelf(of: store).room }
    let nested = Body {
      let room: ObservableStore<Room, Change> = shelf(of: store).scope(to: \.room, action: { $0 })
      _ = room.name
    }
    store.send(.room("Attic"))
    #expect(body.count == 1)
    #expect(nested.count == 1)
    nested.track()
    store.send(.room("Cellar"))
    #expect(body.count == 1)
    #expect(nested.count == 2)
  }

  @Test func `What is presented is followed`() {
    let store = factory.observable()
    store.send(.lend(Book(id: 3, title: "Persuasion")))
    let body = Body { _ = store.presented(store.lent!, at: \.lent, action: { (change: Change) in change }).title }
    body.track()
    store.send(.lend(Book(id: 3, title: "Middlemarch")))
    #expect(body.count == 2)
  }

  @Test func `It is kept no longer than somebody waits for it`() {
    let store = factory.observable()
    weak let scope = shelf(of: store)
    #expect(scope == nil)
    let body = Body { _ = shelf(of: store).room }
    weak let tracked = shelf(of: store)
    #expect(tracked != nil)
    store.send(.room("Attic"))
    #expect(body.count == 1)
    #expect(tracked == nil)
  }

  @Test func `What a cancelled observation has read is not kept`() {
    let store = factory.observable()
    weak let row = row(observedIn: store)
    #expect(row != nil)
    // Deliveries to four times as many others, and to at least 64.
    for round in 0..<70 {
      let body = Body { _ = rows(of: store)[2]?.title }
      store.send(.rename(2, "\(round)"))
      #expect(body.count == 1)
    }
    #expect(row == nil)
  }

  private func row(observedIn store: ObservableStore<Library, Change>) -> ObservableStore<Book, String>? {
    let subscription = observe {
      rows(of: store)[1]?.title
    } apply: { _ in
    }
    defer { subscription.cancel() }
    return rows(of: store)[1]
  }

  @Test func `Those whose readers have gone are released when many more are read`() {
    let store = factory.observable()
    let shelf = shelf(of: store)
    weak let first = first(of: store)
    #expect(first != nil)
    store.send(.room("Attic"))
    #expect(first != nil)
    for number in 0..<40 {
      withObservationTracking {
        _ = self.scope(number, of: store).room
      } onChange: {
      }
    }
    #expect(first == nil)
    withExtendedLifetime(shelf) {}
  }

  /// A row that one function tracked together with a shelf, which has changed since: nobody tracks the row any more.
  private func first(of store: ObservableStore<Library, Change>) -> ObservableStore<Book, String>? {
    let rows = rows(of: store)
    withObservationTracking {
      _ = rows[1]?.title
      _ = shelf(of: store).room
    } onChange: {
    }
    return rows[1]
  }

  /// Another scope each time, because its function captures a value.
  private func scope(_ number: Int, of store: ObservableStore<Library, Change>) -> ObservableStore<Shelf, Change> {
    store.scope(to: \.shelf, action: { (change: Change) in number < 0 ? .room("") : change })
  }

  @Test func `It goes with the store of which it was made`() {
    var store: ObservableStore<Library, Change>? = factory.observable()
    weak let weakStore = store
    let body = Body { [weak store] in
      if let store { _ = rows(of: store)[1]?.title }
      if let store { _ = shelf(of: store).scope(to: \.room, action: { (change: Change) in change }).name }
    }
    weak let row = rows(of: store!)[1]
    #expect(row != nil)
    store = nil
    #expect(weakStore == nil)
    #expect(row == nil)
    factory.dispatchAndWait(.rename(1, "Ulysses"))
    #expect(body.count == 0)
  }
}
