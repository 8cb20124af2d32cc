import Arbor
import ArborEntities
import ArborTesting
import Testing

@Suite("Commits to records")
struct EntityCommitTests {
  private struct Refused: Error {}

  private let executor = ManualExecutor()

  @Test func `a record's store commits only to that record and its parts`() {
    let factory = Shelves.store(executor: executor)
    let row: Store<Scroll, Mutation<Scroll>> = factory.scope(entity: 1, in: \.scrolls)
    let count = row.commit { scroll in
      scroll.title += "!"
      return scroll.title.count
    }
    #expect(count == 9)
    row.scope(at: \.title).commitLater { $0 += "?" }
    #expect(row.state?.title == "scroll 1!?")
    #expect(factory.state.scrolls.map(\.title) == ["scroll 0", "scroll 1!?", "scroll 2"])
    factory.state.scrolls.checkInvariants()
  }

  @Test func `F4 all stores of a record have the same tasks, which are suspended from above by its place`() {
    let factory = Shelves.store(executor: executor)
    let log = Told<String>()
    factory.suspend("work", at: .element(Scroll.ID(1), of: \.scrolls))
    for id in [Scroll.ID(1), 2] {
      factory.scope(entity: id, in: \.scrolls).task(key: "work") { _ in log.append("\(id)") }
    }
    executor.run()
    #expect(log.values.count == 1)
    #expect(factory.scope(entity: 1, in: \.scrolls).isRunning("work"))
    factory.scope(entity: 1, in: \.scrolls).resume("work")
    executor.run()
    #expect(log.values.count == 2)
    withExtendedLifetime(factory) {}
  }

  @Test func `after the record is removed, a commit returns nil and makes no step`() {
    let factory = Shelves.store(executor: executor)
    let row = factory.rootStore().scope(entity: 1, in: \.scrolls)
    let (titles, steps) = (Told<String>(), Told<Int>())
    let subscriptions = [
      row.observe { (scroll: Scroll) in titles.append(scroll.title) },
      factory.observe { (shelves: Shelves) in steps.append(shelves.scrolls.count) },
    ]
    factory.commit { $0.scrolls.remove(1) }
    #expect(row.commit { $0.title = "for nobody" } == nil)
    row.commitLater { $0.title = "for nobody" }
    #expect(row.state == nil)
    factory.commit { try! $0.scrolls.insert(Scroll(id: 1, title: "again", scribe: "ada")) }
    #expect(row.commit { $0.title } == "again")
    #expect(titles.values == ["scroll 1", "again", "again"])
    #expect(steps.values == [3, 2, 3, 3])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a commit that throws leaves the record and all stamps unchanged`() {
    let factory = Shelves.store(executor: executor)
    let before = factory.state.scrolls
    let row = factory.scope(entity: 1, in: \.scrolls)
    #expect(throws: Refused.self) {
      try row.commit { scroll in
        scroll.title = "lost"
        throw Refused()
      }
    }
    #expect(row.commit { _ in } != nil)
    #expect(factory.state.scrolls == before)
    #expect(factory.state.scrolls.stamp == before.stamp)
  }

  @Test(arguments: ["store", "store of the subscript"])
  func `S1 a commit to one of many records copies nothing of the table`(kind: String) {
    let factory = CommitStore(initialState: Shelves.store(scrolls: 2_000).state)
    let row =
      kind == "store" ? factory.scope(entity: 700, in: \.scrolls) : factory.scope(atOptional: \.scrolls[700])
    func addresses() -> [UnsafeRawPointer?] {
      factory.commit { shelves in [700, 701, 1_999].map { shelves.scrolls.address(of: $0) } }
    }
    let before = addresses()
    row.commit { $0.title = "changed" }
    #expect(addresses() == before)
    row.commitLater { $0.title += " again" }
    #expect(addresses() == before)
    #expect(factory.state.scrolls[700]?.title == "changed again")
  }

  @Test(arguments: [false, true])
  func `features of the table, of the state around it and of the record see a commit to a record`(isAwaited: Bool) {
    struct House: Sendable {
      var shelves = Shelves.store().state
      var floor = 0
    }
    let told = Told<String>()
    func feature<State>(_ label: String, _: State.Type) -> Feature<State, Mutation<State>> {
      Feature { _, _ in told.append(label) }
    }
    let scrolls = Feature<EntityTable<Scroll>, Mutation<EntityTable<Scroll>>>.combined(
      feature("table", EntityTable<Scroll>.self),
      feature("record 1", Scroll.self).scoped(atOptional: \.[1]),
      feature("record 2", Scroll.self).scoped(atOptional: \.[2])
    )
    let shelves = Feature<Shelves, Mutation<Shelves>>.combined(
      feature("shelves", Shelves.self),
      scrolls.scoped(at: \.scrolls),
      feature("scribes", EntityTable<Scribe>.self).scoped(at: \.scribes)
    )
    let house = Feature<House, Mutation<House>>.combined(
      shelves.scoped(at: \.shelves),
      feature("record 1 at once", Scroll.self).scoped(atOptional: \.shelves.scrolls[1]),
      feature("record 2 at once", Scroll.self).scoped(atOptional: \.shelves.scrolls[2])
    )
    let store = CommitStore(initialState: House(), feature: house)
    let rows = [
      store.scope(entity: 1, in: \.shelves.scrolls),
      store.scope(at: \.shelves).scope(entity: 1, in: \.scrolls),
    ]
    for row in rows { if isAwaited { row.commit { $0.title += "!" } } else { row.commitLater { $0.title += "!" } } }
    #expect(store.state.shelves.scrolls[1]?.title == "scroll 1!!")
    let labels = ["shelves", "table", "record 1", "record 1 at once"]
    #expect(told.values == labels + labels)
    rows[0].scope(at: \.title).commit { $0 += "?" }
    #expect(told.values == labels + labels + labels)
  }

  @Test func `an interceptor around the table replaces a commit to a record, which changes the table in place`() {
    let counting = Feature<Shelves, Mutation<Shelves>>(
      interceptors: [
        Interceptor { mutation, _ in
          .replace(with: Mutation { shelves in if mutation.apply(to: &shelves) { shelves.steps += 1 } })
        }
      ]
    )
    struct House: Sendable {
      var floor = 0
      var shelves = Shelves.store().state
    }
    let store = CommitStore(
      initialState: House(),
      feature: counting.scoped(at: \.shelves),
      settings: TreeSettings(executor: executor)
    )
    store.scope(entity: 1, in: \.shelves.scrolls).commitLater { $0.title += "!" }
    store.scope(entity: 7, in: \.shelves.scrolls).commitLater { $0.title += "!" }
    executor.run()
    #expect(store.state.shelves.scrolls.map(\.title) == ["scroll 0", "scroll 1!", "scroll 2"])
    #expect(store.state.shelves.steps == 1)
    store.state.shelves.scrolls.checkInvariants()
  }

  @Test func `indexes follow a commit to a record`() throws {
    let factory = CommitStore(initialState: Library(books: try Book.table()))
    factory.scope(entity: 3, in: \.books).commit { $0.author = "nobody" }
    #expect(factory.state.books[Book.byAuthor, "austen"].ids == [2])
    factory.state.books.checkInvariants()
  }

  @Test func `a store from the subscript inserts, changes and removes a record`() {
    let factory = Shelves.store(executor: executor)
    let slot: Store<Scroll?, Mutation<Scroll?>> = factory.scope(at: \.scrolls[7])
    slot.commit { $0 = Scroll(id: 7, title: "seventh", scribe: "ada") }
    slot.commit { $0?.title += "!" }
    #expect(factory.state.scrolls.last?.title == "seventh!")
    slot.commit { $0 = nil }
    #expect(factory.state.scrolls.count == 3)
    factory.state.scrolls.checkInvariants()
  }

  @Test func `an optional store from the subscript is silent after the record is removed`() {
    let factory = Shelves.store(executor: executor)
    let row = factory.scope(atOptional: \.scrolls[1])
    #expect(row.commit { $0.title = "changed" } != nil)
    #expect(factory.state.scrolls[1]?.title == "changed")
    factory.commit { $0.scrolls[1] = nil }
    #expect(row.commit { $0.title = "for nobody" } == nil)
    #expect(factory.state.scrolls.map(\.id) == [0, 2])
  }

  @Test func `the tasks of a record's store are canceled in the step that removes the record`() async {
    let factory = Shelves.store(executor: executor)
    let row = factory.scope(entity: 1, in: \.scrolls)
    let clock = TestClock()
    row.task(key: "rename") { dispatch in
      try await clock.sleep(for: .seconds(1))
      dispatch(Mutation { $0.title = "late" })
    }
    executor.run()
    #expect(row.isRunning("rename"))
    factory.commit { $0.scrolls.remove(1) }
    #expect(!row.isRunning("rename"))
  }

  @Test func `a read-only table gives a store that dispatches mutations of the whole`() {
    let factory = Shelves.store(executor: executor)
    let readOnly: any KeyPath<Shelves, EntityTable<Scroll>> & Sendable = \.scrolls
    let row = factory.scope(entity: 1, in: readOnly)
    row.dispatch(Mutation { (shelves: inout Shelves) in shelves.steps += 1 })
    #expect(row.state?.title == "scroll 1")
    #expect(factory.state.steps == 1)
  }

  @Test(arguments: ["another id", "a key that another has"])
  func `a commit that the table refuses returns nil, makes no step, and keeps the record`(refusal: String) async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [refusal] in
      let factory = CommitStore(initialState: Library(books: try Book.table()))
      let steps = Told<Int>()
      let subscription = factory.observe(initial: false) { (library: Library) in steps.append(library.books.count) }
      let row = factory.scope(entity: 1, in: \.books)
      let change: @Sendable (inout Book) -> String = { book in
        if refusal == "another id" { book.id = 9 } else { book.isbn = "e" }
        return "changed"
      }
      try #require(row.commit(change) == nil)
      row.commitLater { _ = change(&$0) }
      try #require(row.commit(Mutation { _ = change(&$0) }) == false)
      try #require(try factory.state.books == Book.table())
      try #require(steps.values == [])
      try #require(row.commit { $0.title } == "Walden")
      subscription.cancel()
    }
    expect(result, contains: "An EntityTable refused a record")
    expect(result, contains: "Call `update`, `upsert` or `rename` of the table")
  }
}
