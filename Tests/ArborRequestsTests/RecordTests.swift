import Arbor
import ArborRequests
import ArborTesting
import Foundation
import TestSupport
import Testing

@Suite("Records that come with answers")
struct RecordTests {
  let world = RequestWorld(freshFor: nil)

  func list(_ letter: String) -> Derived<RequestState<[Int]>> {
    let observed = world.store.request(world.names, letter)!
    world.executor.run()
    return observed
  }

  func person(_ id: Int) -> RequestWorld.Person? { world.store.cached(world.person, id)?.value.value }

  @Test func `a record in several lists is one entry`() {
    let (first, second) = (list("a"), list("b"))
    world.answer("names a", 12)
    #expect((first.value.value, person(1)?.age, person(2)?.age) == ([1, 2], 12, 12))
    world.answer("names b", 234)
    #expect((second.value.value, person(1)?.age, person(2)?.age) == ([2, 3, 4], 12, 234))
    let detail = world.store.request(world.person, 2)
    world.executor.run()
    #expect(detail?.value.phase == .loaded(.init(id: 2, age: 234)))
    #expect(world.server.open.isEmpty)
  }

  @Test func `a record is kept as long as a list that provided it`() {
    var lists = [list("a"), list("b")]
    world.answer("names a", 12)
    world.answer("names b", 23)
    lists.removeFirst()
    world.executor.run()
    world.pass(120)
    #expect((person(1), person(2)?.age) == (nil, 23))
    world.send(.refetch(world.names.id("b")))
    world.answer("names b", 45)
    world.pass(60)
    #expect((person(2), person(3), person(4)?.age) == (nil, nil, 45))
    lists = []
    world.executor.run()
    for _ in 0..<2 { world.pass(60) }
    #expect(world.factory.state.entries.isEmpty)
  }

  @Test func `a change of a record is seen before and after answers of lists`() {
    let observed = list("a")
    world.answer("names a", 1)
    world.send(.refetch(world.names.id("a")))
    world.send(world.rename.action(.init(id: 1, age: 50)))
    #expect(person(1)?.age == 50)
    world.answer("names a", 1)
    #expect(person(1)?.age == 50)
    world.send(.refetch(world.names.id("a")))
    world.answer("rename 1", 0)
    // This answer began before the confirmation, so its record is not taken.
    world.answer("names a", 1)
    #expect(person(1)?.age == 50)
    world.send(.refetch(world.names.id("a")))
    world.answer("names a", 12)
    #expect((person(1)?.age, observed.value.value) == (12, [1, 2]))
  }

  @Test(arguments: [RequestAction.invalidateRequest(name: "person"), .invalidateEntry(RequestWorld().person.id(1))])
  func `R2 a record is stale if it was invalidated while its list was fetched`(invalidation: RequestAction) {
    let observed = list("a")
    world.send(invalidation)
    world.answer("names a", 1)
    #expect(world.store.cached(world.person, 1)?.value.isStale == true)
    withExtendedLifetime(observed) {}
  }

  @Test func `a record is removed in its time if its list wasn't kept`() {
    let observed = list("a")
    world.answer("names a", 1)
    world.send(world.mark.action(7))
    world.send(.refetch(world.names.id("a")))
    world.answer("mark 7", 0)
    world.answer("names a", 23)
    #expect((observed.value.value, person(2)?.age) == ([1, 7], 23))
    world.answer("names a", 1)
    world.pass(60)
    #expect(person(2) == nil)
  }

  @Test func `a record that comes with a list ends the wait of its own entry`() async throws {
    let observed = list("a")
    world.send(.becameOffline)
    let (store, person) = (world.store, world.person)
    let detail = Task { try await store.fetch(person, 1) }
    while world.factory.state.entries.count < 2 {
      await Task.yield()
      world.executor.run()
    }
    #expect(world.factory.state[person, 1].isWaiting)
    world.answer("names a", 1)
    #expect(try await detail.value.age == 1)
    #expect(!world.factory.state[person, 1].isWaiting)
    withExtendedLifetime(observed) {}
  }

  @Test func `an answer that is normalized twice brings the records of both`() {
    let (executor, server) = (ManualExecutor(), Server())
    let person = Request<Int, RequestWorld.Person>("person", freshFor: nil) { .init(id: $0, age: 0) }
    let city = Request<Int, RequestWorld.Person>("city", freshFor: nil) { .init(id: $0, age: 0) }
    let country = Request<Int, Int>("country") { id in try await server.call("country \(id)") }
      .normalized { RequestAnswer($0).providing(city, [.init(id: 1, age: $0)]) }
      .normalized { RequestAnswer("\($0)").providing(person, [.init(id: 2, age: $0)]) }
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(person, city, country),
      settings: TreeSettings(executor: executor)
    )
    let observed = factory.rootStore().request(country, 1)
    executor.run()
    server.answer("country 1", 30)
    executor.run()
    #expect(
      (observed?.value.value, factory.state[city, 1].value?.age, factory.state[person, 2].value?.age) == ("30", 30, 30))
  }

  @Test func `reading a record neither fetches nor keeps it`() {
    let cached = world.store.cached(world.person, 3)
    world.executor.run()
    #expect((cached?.value.phase, world.server.open, world.factory.state.entries.count) == (.idle, [], 0))
  }

  @Test func `a decoded cache keeps records with their lists`() throws {
    let observed = list("a")
    world.answer("names a", 12)
    let stored = try JSONEncoder().encode(world.factory.state)
    let later = RequestWorld(try JSONDecoder().decode(Requests.self, from: stored), freshFor: nil)
    let list = later.store.request(later.names, "a")
    later.executor.run()
    #expect(list?.value.value == [1, 2])
    later.pass(60)
    #expect(later.store.cached(later.person, 1)?.value.value?.age == 12)
    withExtendedLifetime(observed) {}
  }

  @Test func `a reducer can write answers and records into its own table`() {
    struct App: Equatable, Sendable {
      var requests = Requests()
      var persons: [Int: Int] = [:]
    }
    let (names, person) = (world.names, world.person)
    let cache = Requests.feature(names, person)
    let feature = Feature<App, RequestAction>.combined(
      cache.scoped(to: \.requests, action: { $0 }, extract: { $0 }),
      Feature { state, action in
        for person in person.answers(in: action) { state.persons[person.id] = person.age }
      }
    )
    let factory = StoreFactory(
      initialState: App(),
      feature: feature,
      settings: TreeSettings(clock: world.clock, executor: world.executor)
    )
    let store = factory.rootStore().scope(to: \.requests, action: { $0 })
    let observed = store.request(names, "a")
    world.executor.run()
    world.answer("names a", 12)
    #expect(factory.state.persons == [1: 12, 2: 12])
    withExtendedLifetime(observed) {}
  }

  @Test func `R10 a record of an older fetch doesn't replace a newer answer`() {
    let observed = list("a")
    let detail = world.store.request(world.person, 1)!
    world.executor.run()
    world.answer("person 1", 50)
    world.answer("names a", 12)
    #expect((detail.value.value?.age, person(2)?.age, observed.value.value) == (50, 12, [1, 2]))
    world.send(.refetch(world.person.id(1)))
    world.send(.refetch(world.names.id("a")))
    world.answer("names a", 1)
    #expect((detail.value.value?.age, detail.value.isFetching) == (1, true))
    world.answer("person 1", 60)
    #expect((detail.value.value?.age, detail.value.isFetching, world.server.open) == (1, false, []))
  }

  @Test func `R9 a record that came with a list is fetched at its interval`() {
    let world = RequestWorld(freshFor: nil, every: .seconds(5))
    let (executor, server) = (world.executor, world.server)
    let item = Request<Int, RequestWorld.Person>("item", freshFor: nil, every: .seconds(5)) { id in
      .init(id: id, age: try await server.call("item \(id)"))
    }
    let items = Request<NoValue, [RequestWorld.Person]>("items") { _ in
      [.init(id: 1, age: try await server.call("items"))]
    }
    .normalized { RequestAnswer($0.map(\.id)).providing(item, $0) }
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(item, items),
      settings: TreeSettings(clock: world.clock, executor: executor)
    )
    let list = factory.rootStore().request(items, NoValue())
    executor.run()
    world.answer("items", 10)
    let detail = factory.rootStore().request(item, 1)
    executor.run()
    #expect((detail?.value.value?.age, server.open) == (10, []))
    world.pass(5)
    #expect(server.open == ["item 1"])
    withExtendedLifetime(list) {}
  }

  @Test func `R10 a stream brings the newest records`() {
    let executor = ManualExecutor()
    let streams = RecordedValues<(id: Int, values: AsyncStream<Int>.Continuation)>()
    let item = Request<Int, RequestWorld.Person>("item", freshFor: nil) { .init(id: $0, age: 0) }
    let feed = Request<Int, RequestWorld.Person>(streaming: "feed") { id in
      AsyncStream<Int> { streams.append((id, $0)) }.map { RequestWorld.Person(id: 1, age: $0) }
    }
    .normalized { RequestAnswer($0.id).providing(item, [$0]) }
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(item, feed),
      settings: TreeSettings(clock: TestClock(), executor: executor)
    )
    let feeds = [1, 2].map { factory.rootStore().request(feed, $0) }
    executor.run()
    for (id, age) in [(1, 10), (2, 11), (1, 12)] {
      streams.values.first { $0.id == id }?.values.yield(age)
      executor.run()
      #expect(factory.state[item, 1].value?.age == age)
    }
    withExtendedLifetime(feeds) {}
  }

  @Test func `R4 a stream brings records after a confirmed change and an invalidation`() {
    let executor = ManualExecutor()
    let streams = RecordedValues<AsyncStream<Int>.Continuation>()
    let item = Request<Int, RequestWorld.Person>("item", freshFor: nil) { .init(id: $0, age: 0) }
    let feed = Request<Int, RequestWorld.Person>(streaming: "feed") { _ in
      AsyncStream<Int> { streams.append($0) }.map { RequestWorld.Person(id: 1, age: $0) }
    }
    .normalized { RequestAnswer($0.id).providing(item, [$0]) }
    let rename = Change<Int, Int>(
      "rename",
      optimistic: { age in [item.patch(1) { $0.age = age }] },
      send: { age, _ in age }
    )
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(item, feed, rename),
      settings: TreeSettings(clock: TestClock(), executor: executor)
    )
    let observed = factory.rootStore().request(feed, 1)
    executor.run()
    streams.values.first?.yield(10)
    factory.dispatch(rename.action(50))
    executor.run()
    #expect(factory.state[item, 1].value?.age == 50)
    factory.dispatch(.invalidateRequest(name: "item"))
    streams.values.first?.yield(12)
    executor.run()
    #expect((factory.state[item, 1].value?.age, factory.state[item, 1].isStale) == (12, false))
    withExtendedLifetime(observed) {}
  }

  /// A request whose answers provide other answers to it.
  private func couple(in world: RequestWorld) -> Request<Int, RequestWorld.Person> {
    let single = Request<Int, RequestWorld.Person>("couple", freshFor: nil) { [server = world.server] id in
      .init(id: id, age: try await server.call("couple \(id)"))
    }
    return single.normalized { person in
      RequestAnswer(person).providing(single, [person, .init(id: 3 - person.id, age: person.age)])
    }
  }

  @Test func `an answer that provides itself is removed in its time`() {
    let couple = couple(in: world)
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(couple),
      settings: TreeSettings(clock: world.clock, executor: world.executor)
    )
    var observed = factory.rootStore().request(couple, 1)
    world.executor.run()
    world.answer("couple 1", 30)
    #expect((observed?.value.value?.age, factory.state[couple, 2].value?.age) == (30, 30))
    observed = nil
    world.executor.run()
    for _ in 0..<2 { world.pass(60) }
    #expect(factory.state.entries.isEmpty)
  }

  @Test func `answers that provide each other are removed in their time, but not while one of them is observed`() {
    let couple = couple(in: world)
    let leave = Change<NoValue, Int>(
      "leave",
      optimistic: { _ in [couple.patch(1) { $0.age = 0 }] },
      send: { [server = world.server] _, _ in try await server.call("leave") }
    )
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(couple, leave),
      settings: TreeSettings(clock: world.clock, executor: world.executor)
    )
    var observed = [1, 2].map { factory.rootStore().request(couple, $0) }
    world.executor.run()
    world.answer("couple 1", 30)
    // The answer to 2 brings a record of 1 without the confirmed change, so 1 keeps its own answer.
    factory.dispatch(.refetch(couple.id(2)))
    factory.dispatch(leave.action(NoValue()))
    world.executor.run()
    world.answer("leave", 0)
    world.answer("couple 2", 40)
    observed.removeFirst()
    world.executor.run()
    for _ in 0..<5 { world.pass(60) }
    #expect((factory.state[couple, 1].value?.age, factory.state[couple, 2].value?.age) == (0, 40))
    observed = []
    world.executor.run()
    for _ in 0..<5 { world.pass(60) }
    #expect(factory.state.entries.isEmpty)
  }
}
