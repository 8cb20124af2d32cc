import Arbor
import ArborEntities
import ArborTesting
import TestSupport
import Testing

@Suite("Derived records")
struct DerivedEntityTests {
  let executor = ManualExecutor()

  private func change(
    _ factory: StoreFactory<Shelves, Mutation<Shelves>>,
    _ body: @escaping @Sendable (inout Shelves) -> Void
  ) {
    factory.rootStore().dispatch(Mutation(body))
    executor.run()
  }

  @Test func `a derived record follows the record as it is inserted, changed and removed`() {
    let factory = Shelves.store(executor: executor)
    let scroll = factory.derived(entity: 7, in: \.scrolls)
    let told = Told<String?>()
    let subscription = scroll.observe { (scroll: Scroll?) in told.append(scroll?.title) }
    change(factory) { try! $0.scrolls.insert(Scroll(id: 7, title: "seventh", scribe: "ada")) }
    #expect(scroll.value?.title == "seventh")
    change(factory) { try! $0.scrolls.update(7) { $0.title = "changed" } }
    change(factory) { $0.scrolls.remove(7) }
    #expect(scroll.value == nil)
    #expect(told.values == [nil, "seventh", "changed", nil])
    subscription.cancel()
  }

  @Test func `a step that does not change the record notifies no observer`() {
    let factory = Shelves.store(executor: executor)
    let scroll = factory.derived(entity: 1, in: \.scrolls)
    let told = Told<String?>()
    let subscription = scroll.observe { (scroll: Scroll?) in told.append(scroll?.title) }
    change(factory) { $0.steps += 1 }
    change(factory) { try! $0.scrolls.update(2) { $0.title = "another" } }
    change(factory) { try! $0.scrolls.update(1) { $0.title = "scroll 1" } }
    change(factory) { shelves in
      let scroll = shelves.scrolls.remove(1)!
      try! shelves.scrolls.insert(scroll)
    }
    #expect(told.values == ["scroll 1"])
    subscription.cancel()
  }

  @Test func `a record derived during a step follows changes that the step reverts`() throws {
    typealias Root = Store<Shelves, Change>
    enum Change: Sendable { case change, takeBack }
    let before = Shelves.store(executor: executor).state
    let root = Protected<Root?>(nil)
    let made = Protected<Derived<Scroll?>?>(nil)
    let factory = StoreFactory<Shelves, Change>(
      initialState: before,
      interceptor: { action, _ in
        guard action == .takeBack else { return }
        let derived = root.withLock { $0 }?.derived(entity: 1, in: \.scrolls)
        made.withLock { $0 = derived }
      },
      settings: TreeSettings(executor: executor),
      reducer: { shelves, action in
        switch action {
        case .change: try! shelves.scrolls.update(1) { $0.title = "changed" }
        case .takeBack: shelves.scrolls = before.scrolls
        }
      }
    )
    root.withLock { $0 = factory.rootStore() }
    let other = factory.derived(entity: 2, in: \.scrolls)
    factory.rootStore().dispatch(batch: [.change, .takeBack])
    executor.run()
    #expect(try #require(made.withLock { $0 }).value?.title == "scroll 1")
    root.withLock { $0 = nil }
    withExtendedLifetime(other) {}
  }

  @Test func `after two transactions in one action, the observer receives the first one's record`() {
    let factory = Shelves.store(executor: executor)
    let scroll = factory.derived(entity: 0, in: \.scrolls)
    change(factory) { shelves in
      try! withTransaction(&shelves) { try $0.scrolls.update(0) { $0.title = "first" } }
      try! withTransaction(&shelves) { try $0.scrolls.update(1) { $0.title = "second" } }
    }
    #expect(scroll.value?.title == "first")
  }

  @Test func `of 10,000 observers of 10,000 records, only that of the changed record is notified`() {
    let factory = Shelves.store(scrolls: 10_000, executor: executor)
    let told = Told<Int>()
    let subscriptions = (0..<10_000).map { number in
      factory.derived(entity: .init(number), in: \.scrolls).observe(initial: false) { (_: Scroll?) in
        told.append(number)
      }
    }
    executor.run()
    change(factory) { try! $0.scrolls.update(4711) { $0.title = "changed" } }
    #expect(told.values == [4711])
    #expect(factory.rootStore().elementFeedCount == 1)
    for subscription in subscriptions { subscription.cancel() }
    executor.run()
    #expect(factory.rootStore().elementFeedCount == 0)
  }

  @Test func `calls for the same record return the same value, and a released value leaves nothing`() {
    let factory = Shelves.store(executor: executor)
    let store = factory.rootStore()
    var first: Derived<Scroll?>? = store.derived(entity: 1, in: \.scrolls)
    var second: Derived<Scroll?>? = store.derived(entity: 1, in: \.scrolls)
    #expect(first === second)
    var kept: Derived<KeptEntity<Scroll>?>? = store.derived(keeping: 1, in: \.scrolls)
    #expect(store.elementFeedCount == 2)
    first = nil
    #expect(store.elementFeedCount == 2)
    second = nil
    #expect(store.elementFeedCount == 1)
    #expect(kept?.value?.title == "scroll 1")
    kept = nil
    #expect(store.elementFeedCount == 0)
    let again = store.derived(entity: 1, in: \.scrolls)
    #expect(again?.value?.title == "scroll 1")
  }

  @Test func `a kept record shows its last value, reports its deletion, and returns with the record`() {
    let factory = Shelves.store(executor: executor)
    let scroll = factory.derived(keeping: 5, in: \.scrolls)
    #expect(scroll.value == nil)
    change(factory) { $0.scrolls.remove(5) }
    #expect(scroll.value == nil)
    change(factory) { try! $0.scrolls.insert(Scroll(id: 5, title: "fifth", scribe: "ada")) }
    #expect(scroll.value == KeptEntity(Scroll(id: 5, title: "fifth", scribe: "ada")))
    change(factory) { $0.scrolls.removeAll() }
    #expect(scroll.value?.isDeleted == true)
    #expect(scroll.value?.title == "fifth")
    change(factory) { try! $0.scrolls.insert(Scroll(id: 5, title: "new", scribe: "ada")) }
    #expect(scroll.value?.isDeleted == false)
    #expect(scroll.value?.title == "new")
  }

  @Test func `when the owner is released, a derived record keeps its last value, and the table is released`() {
    final class Token: Sendable {}
    struct Page: Identifiable, Sendable {
      let id: Int
      let token: Token
    }
    weak var token: Token?
    var page: Derived<Page?>?
    do {
      let first = Token()
      token = first
      let factory = StoreFactory<EntityTable<Page>, Never>(
        initialState: try! EntityTable([Page(id: 1, token: first)]),
        settings: TreeSettings(executor: executor)
      ) { _, _ in }
      page = factory.derived(entity: 2, in: \.self)
      executor.run()
    }
    #expect(token == nil)
    #expect(page?.value == nil)
    page = nil
  }

  @Test func `below a nil scope there is no record to derive`() {
    struct State: Sendable {
      var shelves: Shelves?
    }
    let factory = CommitStore(initialState: State())
    let store = factory.scopeStore(toOptional: { $0.shelves })
    #expect(store.derived(entity: 1, in: \.scrolls) == nil)
    factory.commit { $0.shelves = Shelves() }
    #expect(store.derived(entity: 1, in: \.scrolls)?.value == .some(nil))
  }

  @Test func `a closure-backed store shows the current record`() {
    let scrolls = try! EntityTable([Scroll(id: 1, title: "one", scribe: "ada")])
    let store = Store<EntityTable<Scroll>, Int>(dispatch: { _ in }, subscribe: { observer in observer.send(scrolls) })
    #expect(store.derived(entity: 1, in: \.self)?.value?.title == "one")
  }

  @Test func `a join is computed only when one of its tables has changed`() {
    let factory = Shelves.store(executor: executor)
    let computed = Told<Int>()
    let titles = factory.derived(joining: \.scrolls, \.scribes) { scrolls, scribes in
      computed.append(scrolls.count)
      return scrolls.map { "\($0.title), \(scribes[$0.scribe]?.name ?? "anonymous")" }
    }
    #expect(titles.value.first == "scroll 0, Ada")
    change(factory) { $0.steps += 1 }
    #expect(computed.values.count == 1)
    change(factory) { try! $0.scribes.update("ada") { $0.name = "Ada Lovelace" } }
    #expect(titles.value.first == "scroll 0, Ada Lovelace")
    #expect(computed.values.count == 2)
  }

  @Test func `a child's records are derived from its composed state`() {
    let factory = Shelves.store(executor: executor)
    let child = factory.childStore(initialState: 0, stateMapping: { shelves, _ in shelves }, reducer: { _, _ in })
    let scroll = child.derived(entity: 1, in: \.scrolls)!
    change(factory) { try! $0.scrolls.update(1) { $0.title = "changed" } }
    #expect(scroll.value?.title == "changed")
  }
}
