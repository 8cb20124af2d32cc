import Arbor
import ArborRequests
import ArborTesting
import TestSupport
import Testing

@Suite("Pages")
struct PageTests {
  let world = RequestWorld(freshFor: nil)
  var id: RequestID { world.list.id(NoValue()) }

  /// A world whose list has its first page.
  func loaded() -> Derived<RequestState<Pages<Int, [Int]>>> {
    let observed = world.store.request(world.list, NoValue())!
    world.executor.run()
    world.answer("page 10", 0)
    return observed
  }

  func fetch(_ direction: PageDirection, _ page: Int, _ answer: Int = 0) {
    world.send(.fetchPage(id, direction))
    world.answer("page \(page)", answer)
  }

  func firsts(_ observed: Derived<RequestState<Pages<Int, [Int]>>>) -> [Int] {
    observed.value.value?.pages.map { $0[0] } ?? []
  }

  @Test func `pages are added at both ends, up to the bound`() {
    let observed = loaded()
    #expect(observed.value.value?.pages == [[10, 0]])
    world.send(.fetchPage(id, .next))
    #expect((observed.value.isFetching, observed.value.fetchedPage) == (true, .next))
    world.answer("page 11", 5)
    #expect(observed.value.value?.pages == [[10, 0], [11, 5]])
    fetch(.previous, 9)
    #expect(firsts(observed) == [9, 10, 11])
    fetch(.next, 12)
    #expect(firsts(observed) == [10, 11, 12])
    fetch(.previous, 9)
    #expect(firsts(observed) == [9, 10, 11])
    #expect(observed.value.value?.hasPrevious == true)
    fetch(.previous, 8)
    #expect((firsts(observed), observed.value.value?.hasPrevious) == ([8, 9, 10], false))
    world.send(.fetchPage(id, .previous))
    #expect(world.server.open.isEmpty)
  }

  @Test func `all loaded pages are fetched again in their order, and shown at once`() {
    let observed = loaded()
    fetch(.next, 11)
    fetch(.previous, 9)
    world.send(.refetch(id))
    var seen: [[Int]] = []
    for page in 9...11 {
      seen.append(observed.value.value!.pages.map { $0[1] })
      #expect(world.server.open == ["page \(page)"])
      world.answer("page \(page)", page)
    }
    #expect(seen == [[0, 0, 0], [0, 0, 0], [0, 0, 0]])
    #expect(observed.value.value?.pages == [[9, 9], [10, 10], [11, 11]])
    #expect((observed.value.isFetching, world.server.open) == (false, []))
  }

  @Test func `a failing page keeps the others, and can be fetched again`() {
    let observed = loaded()
    world.send(.fetchPage(id, .next))
    for delay in [1, 2, 4, 0] {
      world.fail("page 11")
      world.pass(Double(delay))
    }
    #expect(observed.value.failure?.kind == .thrown)
    #expect((firsts(observed), observed.value.isFetching) == ([10], false))
    fetch(.next, 11)
    #expect((firsts(observed), observed.value.failure) == ([10, 11], nil))
  }

  @Test func `a page that is wanted during a fetch is fetched after it`() {
    let observed = loaded()
    world.send(.refetch(id))
    world.send(.fetchPage(id, .next))
    #expect(world.server.open == ["page 10"])
    world.answer("page 10", 1)
    #expect(world.server.open == ["page 11"])
    world.answer("page 11", 1)
    #expect(observed.value.value?.pages == [[10, 1], [11, 1]])
  }

  @Test(arguments: [true, false])
  func `pages at both ends that are wanted meanwhile are fetched in this order`(isOnline: Bool) {
    let observed = loaded()
    world.send(isOnline ? .refetch(id) : .becameOffline)
    for direction in [PageDirection.previous, .next, .previous] { world.send(.fetchPage(id, direction)) }
    if isOnline { world.answer("page 10", 0) } else { world.send(.becameOnline) }
    for page in ["page 9", "page 11"] {
      #expect(world.server.open == [page])
      world.answer(page, 0)
    }
    #expect((firsts(observed), world.server.open) == ([9, 10, 11], []))
  }

  @Test func `a page that is wanted meanwhile, but doesn't exist, isn't in the way of the next one`() {
    let observed = loaded()
    for page in [9, 8] { fetch(.previous, page) }
    world.send(.becameOffline)
    for direction in [PageDirection.previous, .next] { world.send(.fetchPage(id, direction)) }
    world.send(.becameOnline)
    #expect(world.server.open == ["page 11"])
    withExtendedLifetime(observed) {}
  }

  @Test func `a forced fetch fetches the page in progress afterward`() {
    let observed = loaded()
    world.send(.fetchPage(id, .next))
    world.send(.refetch(id))
    #expect(world.server.open == ["page 10"])
    world.answer("page 10", 1)
    world.answer("page 11", 1)
    #expect(observed.value.value?.pages == [[10, 1], [11, 1]])
  }

  @Test func `a page that is wanted without a connection is fetched later`() {
    let observed = loaded()
    world.send(.becameOffline)
    world.send(.fetchPage(id, .next))
    #expect(world.server.open.isEmpty)
    world.send(.becameOnline)
    world.answer("page 11", 0)
    #expect(firsts(observed) == [10, 11])
  }

  @Test func `an invalidation while a page is fetched keeps the page, and fetches all again`() {
    let observed = loaded()
    world.send(.fetchPage(id, .next))
    world.send(.invalidate([RequestTag("number", 10)]))
    world.answer("page 11", 0)
    #expect((firsts(observed), observed.value.isStale) == ([10, 11], true))
    #expect(world.server.open == ["page 10"])
    world.answer("page 10", 1)
    world.answer("page 11", 1)
    #expect((observed.value.value?.pages, observed.value.isStale) == ([[10, 1], [11, 1]], false))
  }

  @Test func `a due page is fetched although the page before it has to be fetched twice`() {
    let observed = loaded()
    world.send(world.mark.action(7))
    world.send(.fetchPage(id, .next))
    world.send(.fetchPage(id, .previous))
    world.answer("mark 7", 0)
    // This page was fetched before the change was confirmed, so it comes again, and then all of them.
    for page in ["page 11", "page 11", "page 10", "page 11", "page 9"] {
      #expect(world.server.open == [page])
      world.answer(page, 0)
    }
    #expect(firsts(observed) == [9, 10, 11])
  }

  @Test func `a page that has to be fetched twice is fetched later without a connection`() {
    let observed = loaded()
    world.send(.fetchPage(id, .next))
    world.send(world.mark.action(7))
    world.answer("mark 7", 0)
    world.send(.becameOffline)
    world.answer("page 11", 0)
    world.send(.becameOnline)
    for page in ["page 10", "page 11"] { world.answer(page, 1) }
    #expect((firsts(observed), world.server.open) == ([10, 11], []))
  }

  @Test func `a page that fails isn't in the way of the page at the other end`() {
    let observed = loaded()
    world.send(.fetchPage(id, .next))
    world.send(.fetchPage(id, .previous))
    for delay in [1, 2, 4, 0] {
      world.fail("page 11")
      world.pass(Double(delay))
    }
    world.answer("page 9", 0)
    #expect((firsts(observed), world.server.open) == ([9, 10], []))
  }

  @Test func `R9 pages that are added don't postpone the interval`() {
    let executor = ManualExecutor()
    let (clock, server) = (TestClock(), Server())
    let list = Request<NoValue, Pages<Int, Int>>(
      pages: "list",
      first: 1,
      next: { $0 + 1 },
      freshFor: nil,
      every: .seconds(5),
      fetch: { _, cursor in try await server.call("page \(cursor)") }
    )
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(list),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    let observed = factory.rootStore().request(list, NoValue())
    func pass(_ seconds: Double, then action: RequestAction? = nil) {
      clock.advance(by: .seconds(seconds))
      if let action { factory.dispatch(action) }
      executor.run()
    }
    func answer(_ page: Int) {
      server.answer("page \(page)", page)
      executor.run()
    }
    executor.run()
    answer(1)
    pass(3, then: .fetchPage(list.id(NoValue()), .next))
    answer(2)
    pass(1, then: .fetchPage(list.id(NoValue()), .next))
    pass(2)
    #expect(server.open == ["page 3"])
    answer(3)
    #expect(server.open == ["page 1"])
    withExtendedLifetime(observed) {}
  }

  @Test func `without a connection and without observers, no page is due`() {
    var observed: Derived<RequestState<Pages<Int, [Int]>>>? = loaded()
    observed = nil
    world.send(.becameOffline)
    world.send(.fetchPage(id, .next))
    #expect(world.factory.state.entries.first?.duePages == [])
    _ = observed
  }

  @Test func `pages keep their cursors when they are changed`() {
    var pages = loaded().value.value!
    pages.changeEach { $0.append(7) }
    #expect(pages.pages == [[10, 0, 7]])
    #expect(pages.mapPages { $0.count }.pages == [3])
    #expect(pages.hasNext && pages.hasPrevious)
  }
}
