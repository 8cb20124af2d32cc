import Arbor
import ArborEntities
import ArborUI
import Dispatch
import Observation
import Testing

/// Views that read a part of an object that no other code keeps: `rows[id]?.title`.
@MainActor
@Suite("Reading objects that no code keeps")
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

  /// Counts the notifications of a function that reads. It reads again when notified, as a view's body does later.
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

  @Test func `a row is followed, and so are all rows in one body`() {
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

  @Test func `a scope is followed, and so is a scope of a scope`() {
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

  @Test func `a presented item is followed`() {
    let store = factory.observable()
    store.send(.lend(Book(id: 3, title: "Persuasion")))
    let body = Body { _ = store.presented(store.lent!, at: \.lent, action: { (change: Change) in change }).title }
    body.track()
    store.send(.lend(Book(id: 3, title: "Middlemarch")))
    #expect(body.count == 2)
  }

  @Test func `an object is kept no longer than a reader waits for it`() {
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

  /// Observes a row in a separate scope, so that nothing else keeps the row.
  private func observation(of store: ObservableStore<Library, Change>, _ id: @escaping () -> Int) -> StoreSubscription {
    observe {
      (store.lent, rows(of: store)[id()]?.title, shelf(of: store).room)
    } apply: { _ in
    }
  }

  @Test func `a canceled observation releases the scopes and rows that only it has followed`() {
    let store = factory.observable()
    var subscription: StoreSubscription? = observation(of: store) { 1 }
    weak let row = rows(of: store)[1]
    weak let all = rows(of: store)
    weak let scope = shelf(of: store)
    #expect(row != nil && all != nil && scope != nil)
    subscription?.cancel()
    #expect(row == nil && all == nil && scope == nil)
    subscription = nil
  }

  @Test func `an observation canceled on another thread releases them soon after`() async {
    let store = factory.observable()
    let subscription = observation(of: store) { 1 }
    weak let row = rows(of: store)[1]
    #expect(row != nil)
    await Task.detached { subscription.cancel() }.value
    // After the release on the main queue.
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    #expect(row == nil)
  }

  @Test func `an observation that cancels itself while reading releases the objects it has read`() {
    let store = factory.observable()
    var subscription: StoreSubscription?
    weak var row: ObservableStore<Book, String>?
    subscription = observe {
      if store.lent != nil {
        row = rows(of: store)[1]
        _ = row?.title
        subscription?.cancel()
      }
      return store.lent
    } apply: { _ in
    }
    store.send(.lend(Book(id: 3, title: "Persuasion")))
    #expect(row == nil)
    subscription = nil
  }

  @Test func `an observation that reads another row releases the previous one`() {
    let store = factory.observable()
    let subscription = observation(of: store) { store.lent?.id ?? 1 }
    weak let first = rows(of: store)[1]
    #expect(first != nil)
    store.send(.lend(Book(id: 2, title: "Walden")))
    #expect(first == nil)
    weak let second = rows(of: store)[2]
    #expect(second != nil)
    subscription.cancel()
  }

  @Test func `an observation that ends releases nothing that others follow`() {
    let store = factory.observable()
    let (first, second) = (observation(of: store) { 1 }, observation(of: store) { 1 })
    weak let row = rows(of: store)[1]
    first.cancel()
    #expect(row != nil)
    second.cancel()
    #expect(row == nil)
  }

  @Test func `an observation made while another one reads keeps the objects that both follow`() {
    let store = factory.observable()
    var inner: StoreSubscription?
    let outer = observe {
      inner = inner ?? observation(of: store) { 1 }
      return rows(of: store)[2]?.title
    } apply: { _ in
    }
    weak let first = rows(of: store)[1]
    weak let second = rows(of: store)[2]
    #expect(first != nil && second != nil)
    outer.cancel()
    #expect(first != nil)
    #expect(second == nil)
    inner?.cancel()
    #expect(first == nil)
  }

  @Test func `objects without readers are released when many more are read`() {
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

  /// A row that one function tracked together with a shelf, which has changed since: no reader tracks the row any more.
  private func first(of store: ObservableStore<Library, Change>) -> ObservableStore<Book, String>? {
    let rows = rows(of: store)
    withObservationTracking {
      _ = rows[1]?.title
      _ = shelf(of: store).room
    } onChange: {
    }
    return rows[1]
  }

  /// A different scope each time, because its function captures a value.
  private func scope(_ number: Int, of store: ObservableStore<Library, Change>) -> ObservableStore<Shelf, Change> {
    store.scope(to: \.shelf, action: { (change: Change) in number < 0 ? .room("") : change })
  }

  @Test func `an object is released with the store it was made from`() {
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
