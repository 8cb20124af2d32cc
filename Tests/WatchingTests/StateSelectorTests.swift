import Arbor
import ArborTesting
import Foundation
import TestSupport
import Testing

@Suite("State selectors")
struct StateSelectorTests {
  let executor = ManualExecutor()

  struct Library: Equatable, Sendable {
    var books = ["Emma", "Ulysses", "Dracula"]
    var shortest = 0
    var visits = 0

    static let long = StateSelector(\Library.books, \.shortest) { books, shortest in
      books.filter { $0.count >= shortest }
    }
    static let count = StateSelector(long) { $0.count }
    static let summary = StateSelector(count, .init(\.shortest)) { "\($0) of \($1) letters" }
    static let parity = StateSelector(\Library.visits) { $0.isMultiple(of: 2) }
    static let parityText = StateSelector(parity) { $0 ? "even" : "odd" }
  }

  enum Change: Sendable {
    case add(String)
    case shortest(Int)
    case visit
    case replaceBooks([String])
  }

  static let reducer: Reducer<Library, Change> = { state, action in
    switch action {
    case .add(let book): state.books.append(book)
    case .shortest(let length): state.shortest = length
    case .visit: state.visits += 1
    case .replaceBooks(let books): state.books = books
    }
  }

  func library() -> StoreFactory<Library, Change> {
    StoreFactory(
      initialState: Library(),
      settings: TreeSettings(executor: executor),
      reducer: Self.reducer
    )
  }

  @Test func `an output is computed once no matter how often it is read`() {
    let factory = library()
    let store = factory.rootStore()
    #expect(store.recomputations(of: Library.long) == 0)
    for _ in 1...3 { #expect(store.select(Library.long) == ["Emma", "Ulysses", "Dracula"]) }
    #expect(store.recomputations(of: Library.long) == 1)
  }

  @Test func `an output is computed again when an input has changed, but not after other changes`() {
    let factory = library()
    let store = factory.rootStore()
    _ = factory.select(Library.long)
    store.dispatch(.shortest(6))
    #expect(factory.select(Library.long) == ["Ulysses", "Dracula"])
    store.dispatch(.add("Middlemarch"))
    #expect(factory.select(Library.long) == ["Ulysses", "Dracula", "Middlemarch"])
    store.dispatch(.visit)
    #expect(factory.select(Library.long) == ["Ulysses", "Dracula", "Middlemarch"])
    #expect(store.recomputations(of: Library.long) == 3)
  }

  @Test func `unread states cost nothing if the inputs are equal in the end`() {
    let factory = library()
    let store = factory.rootStore()
    let before = factory.select(Library.long)
    for length in 1...100 {
      store.dispatch(.shortest(length))
      store.dispatch(.add("Book \(length)"))
    }
    store.dispatch(.replaceBooks(Library().books))
    store.dispatch(.shortest(0))
    #expect(factory.select(Library.long) == before)
    #expect(store.recomputations(of: Library.long) == 1)
  }

  @Test func `inputs are compared with those of the last computation, not of the last read`() {
    struct Coarse: Equatable, Sendable {
      var value = 0
      static func == (old: Coarse, new: Coarse) -> Bool { abs(old.value - new.value) < 10 }
    }
    let value = StateSelector(\Coarse.self) { $0.value }
    let factory = StoreFactory<Coarse, Int>(
      initialState: Coarse(),
      settings: TreeSettings(executor: executor),
      reducer: { $0.value = $1 }
    )
    let seen = [0, 6, 9, 12, 18].map { number in
      factory.rootStore().dispatch(number)
      return factory.select(value)
    }
    #expect(seen == [0, 0, 0, 12, 12])
    #expect(factory.rootStore().recomputations(of: value) == 2)
  }

  @Test func `an output that equals the old one does not replace it`() {
    struct Named: Equatable, Sendable {
      let name: String
      let object = Object()
      static func == (old: Named, new: Named) -> Bool { old.name == new.name }
    }
    let selector = StateSelector(\Library.visits, \.books) { visits, books in Named(name: books[visits / 2]) }
    let factory = library()
    let first = factory.select(selector)
    factory.rootStore().dispatch(.visit)
    #expect(factory.select(selector).object === first.object)
    #expect(factory.rootStore().recomputations(of: selector) == 2)
    factory.rootStore().dispatch(.visit)
    #expect(factory.select(selector).name == "Ulysses")
  }

  @Test func `a selector of selectors is computed only when one of their outputs has changed`() {
    let factory = library()
    let store = factory.rootStore()
    #expect(store.select(Library.parityText) == "even")
    store.dispatch(batch: [.visit, .visit])
    #expect(store.select(Library.parityText) == "even")
    #expect(store.recomputations(of: Library.parity) == 2)
    #expect(store.recomputations(of: Library.parityText) == 1)
    store.dispatch(.visit)
    #expect(store.select(Library.parityText) == "odd")
    #expect(store.recomputations(of: Library.parityText) == 2)
  }

  @Test func `nested selectors are remembered by the same reader`() {
    let factory = library()
    let store = factory.rootStore()
    #expect(store.select(Library.summary) == "3 of 0 letters")
    #expect(store.select(Library.long) == Library().books)
    #expect(store.select(Library.count) == 3)
    #expect(store.recomputations(of: Library.long) == 1)
    #expect(store.recomputations(of: Library.count) == 1)
    store.dispatch(.shortest(5))
    #expect(store.select(Library.long) == ["Ulysses", "Dracula"])
    #expect(store.select(Library.summary) == "2 of 5 letters")
    #expect(store.recomputations(of: Library.long) == 2)
  }

  @Test func `a single key path is a selector of which nothing is remembered`() {
    let factory = library()
    let visits = StateSelector<Library, Int>(\.visits)
    #expect(factory.select(visits) == 0)
    factory.rootStore().dispatch(.visit)
    #expect(factory.select(visits) == 1)
    #expect(factory.rootStore().recomputations(of: visits) == 0)
  }

  @Test func `a selector is a function of the state, and remembers nothing when called`() {
    #expect(Library.summary(Library(shortest: 5)) == "2 of 5 letters")
    #expect(Library.summary(Library(books: [])) == "0 of 0 letters")
    #expect(library().rootStore().recomputations(of: Library.summary) == 0)
  }

  @Test func `two trees that share a selector do not disturb each other`() {
    let factories = [library(), library()]
    factories[1].rootStore().dispatch(.shortest(5))
    for _ in 1...3 {
      #expect(factories[0].select(Library.count) == 3)
      #expect(factories[1].select(Library.count) == 2)
    }
    for factory in factories { #expect(factory.rootStore().recomputations(of: Library.count) == 1) }
  }

  @Test func `a root and its child that share a selector do not disturb each other`() {
    let factory = library()
    let child: StoreObject<Library, Change> = factory.childStore(
      initialState: 6,
      stateMapping: { library, shortest in
        var library = library
        library.shortest = shortest
        return library
      },
      reducer: { _, _ in }
    )
    for _ in 1...3 {
      #expect(factory.select(Library.count) == 3)
      #expect(child.select(Library.count) == 2)
    }
    #expect(factory.rootStore().recomputations(of: Library.count) == 1)
    #expect(child.store().recomputations(of: Library.count) == 1)
  }

  @Test func `scopes of one store that share a selector never see each other's output`() {
    let half = StateSelector(\Int.self) { $0 / 2 }
    let factory = StoreFactory<(Int, Int), (Int, Int)>(
      initialState: (10, 20),
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let scopes = (factory.scopeStore { $0.0 }, factory.scopeStore { $0.1 })
    for _ in 1...2 {
      #expect(scopes.0.select(half) == 5)
      #expect(scopes.1.select(half) == 10)
    }
    factory.rootStore().dispatch((30, 40))
    #expect(scopes.0.select(half) == 15)
    #expect(scopes.1.select(half) == 20)
  }

  @Test func `an observer and an interceptor read the state of their moment`() {
    let seen = RecordedValues<String>()
    let stores = RecordedValues<Store<Library, Change>>()
    let factory = StoreFactory<Library, Change>(
      initialState: Library(),
      interceptor: { _, _ in seen.append("before \(stores.values[0].select(Library.count)!)") },
      settings: TreeSettings(executor: executor),
      reducer: Self.reducer
    )
    let store = factory.rootStore()
    stores.append(store)
    store.subscribe(
      observer: Observer { _ in
        seen.append("now \(store.select(Library.count)!)")
        return .active
      }
    )
    store.dispatch(batch: [.add("Walden"), .add("Utopia")])
    executor.run()
    #expect(seen.values == ["now 3", "before 3", "before 4", "now 5"])
    stores.removeAll()
  }

  @Test func `a selector may read another one through the store while it computes`() {
    let factory = library()
    let store = factory.rootStore()
    let selector = StateSelector(\Library.visits) { visits in visits + store.select(Library.count)! }
    #expect(store.select(selector) == 3)
    store.dispatch(.visit)
    #expect(store.select(selector) == 4)
  }

  @Test(.reports("used after its owner was released")) func `remembered outputs are freed with the node`() {
    let freed = RecordedValues<String>()
    var factory: StoreFactory<Library, Change>? = library()
    let store = factory!.rootStore()
    let selector = Self.naming { name in freed.append(name) }
    var child = Optional(
      factory!.childStore(initialState: 0, stateMapping: { state, _ in state }, reducer: { _, _ in }))
    #expect(child?.select(selector)?.name == "Emma")
    #expect(freed.values == [])
    child = nil
    executor.run()
    #expect(freed.values == ["Emma"])
    #expect(store.select(selector)?.name == "Emma")
    factory = nil
    executor.run()
    #expect(freed.values == ["Emma", "Emma"])
    #expect(store.select(selector) == nil)
  }

  @Test func `an output is freed when a new one takes its place`() {
    let freed = RecordedValues<String>()
    let factory = library()
    let selector = Self.naming { name in freed.append(name) }
    _ = factory.select(selector)
    factory.rootStore().dispatch(.replaceBooks(["Walden"]))
    #expect(factory.select(selector).name == "Walden")
    #expect(freed.values == ["Emma"])
  }

  @Test func `unused selectors are eventually forgotten`() {
    let freed = RecordedValues<String>()
    let factory = library()
    let kept = Self.naming { name in freed.append("kept \(name)") }
    _ = factory.select(kept)
    for _ in 1...1_000 { _ = factory.select(Self.naming { name in freed.append(name) }) }
    #expect(freed.values.count > 900)
    #expect(!freed.values.contains("kept Emma"))
    _ = factory.select(kept)
    #expect(factory.rootStore().recomputations(of: kept) == 1)
  }

  @Test func `a derived value is a separate reader`() {
    let factory = library()
    let derived = factory.derived(Library.count)
    #expect(derived.recomputations(of: Library.count) == 1)
    for _ in 1...3 { factory.rootStore().dispatch(.visit) }
    #expect(derived.recomputations(of: Library.count) == 1)
    factory.rootStore().dispatch(.add("Middlemarch"))
    #expect(derived.recomputations(of: Library.long) == 2)
    #expect(derived.value == 4)
    #expect(factory.rootStore().recomputations(of: Library.count) == 0)
    #expect(factory.derived(\.visits).recomputations(of: Library.count) == 0)
  }

  @Test func `many selectors are remembered together`() {
    let factory = library()
    let selectors = (0..<100).map { number in StateSelector(\Library.visits) { $0 + number } }
    for _ in 1...3 {
      for (number, selector) in selectors.enumerated() { #expect(factory.select(selector) == number) }
    }
    #expect(selectors.allSatisfy { factory.rootStore().recomputations(of: $0) == 1 })
  }

  @Test func `there is nothing to select while a scope is nil`() {
    let factory = StoreFactory<Int?, Int?>(
      initialState: nil,
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let half = StateSelector(\Int.self) { $0 / 2 }
    let scope = factory.scopeStore(toOptional: { $0 })
    #expect(scope.select(half) == nil)
    factory.rootStore().dispatch(10)
    #expect(scope.select(half) == 5)
    factory.rootStore().dispatch(nil)
    #expect(scope.select(half) == nil)
  }

  @Test func `a closure-backed store is read without remembering`() {
    let store = Store<Library, Change>(dispatch: { _ in }, subscribe: { $0.send(Library()) })
    #expect(store.select(Library.summary) == "3 of 0 letters")
    #expect(store.recomputations(of: Library.summary) == 0)
  }

  @Test func `threads that read and dispatch at once agree with the state`() {
    let factory = StoreFactory<Library, Change>(initialState: Library(), reducer: Self.reducer)
    let store = factory.rootStore()
    onThreads(4) { number in
      for _ in 1...200 {
        if number == 0 { store.dispatch(.add("Walden")) }
        let (before, count, after) = (store.state!.books.count, store.select(Library.count)!, store.state!.books.count)
        if !(before...after).contains(count) { Issue.record("\(count) is not between \(before) and \(after)") }
      }
    }
    #expect(factory.select(Library.count) == 203)
  }

  #if DEBUG
    @Test func `debug builds report once that a selector's inputs differ for the same state`() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        StateSelectorTests.selectFromAClock()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.components(separatedBy: "A StateSelector read its inputs twice").count == 2, "\(text)")
      #expect(text.contains("Let its key paths read nothing but the state"), "\(text)")
      #expect(text.contains("StateSelector<Clock, Bool>"), "\(text)")
    }

    private struct Clock: Sendable {
      static let last = Protected(0)

      var ticks = 0

      var now: Int {
        Clock.last.withLock { last in
          last += 1
          return last
        }
      }

      static let isLate = StateSelector(\Clock.now) { $0 > 100 }
      static let isOdd = StateSelector(\Clock.ticks) { !$0.isMultiple(of: 2) }
    }

    private static func selectFromAClock() {
      for _ in 1...2 {
        let factory = StoreFactory<Clock, Int>(initialState: Clock(), reducer: { $0.ticks += $1 })
        for _ in 1...3 {
          _ = (factory.select(Clock.isOdd), factory.select(Clock.isLate))
          factory.rootStore().dispatch(1)
        }
      }
    }
  #endif

  /// A selector whose outputs report when they are freed.
  private static func naming(
    whenFreed: @escaping @Sendable (String) -> Void
  ) -> StateSelector<Library, Named> {
    StateSelector(\.books) { books in Named(books[0], whenFreed: whenFreed) }
  }

  private final class Named: Equatable, Sendable {
    let name: String
    private let object: Object

    init(_ name: String, whenFreed: @escaping @Sendable (String) -> Void) {
      self.name = name
      object = Object { whenFreed(name) }
    }

    static func == (old: Named, new: Named) -> Bool { old.name == new.name }
  }
}
