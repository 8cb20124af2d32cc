import Arbor
import ArborEntities
import ArborRequests
import ArborTesting
import Foundation
import TestSupport
import Testing

@Suite("Odd orders and unexpected input")
struct UnexpectedInputTests {
  /// A cache with definitions of a test.
  func make(
    _ definitions: any RequestDefinition...,
    cache: Requests = Requests(),
    clock: TestClock = TestClock(),
    executor: ManualExecutor
  ) -> StoreFactory<Requests, RequestAction> {
    let factory = StoreFactory(
      initialState: cache,
      feature: Requests.feature(definitions),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    executor.run()
    return factory
  }

  /// Lets a long time pass, after which a cache without observers must be empty.
  func expectRemoval(
    of factory: StoreFactory<Requests, RequestAction>,
    _ clock: TestClock,
    _ executor: ManualExecutor
  ) {
    for _ in 0..<10 {
      clock.advance(by: .seconds(100))
      executor.run()
    }
    #expect(factory.state.entries.map(\.id.description) == [])
  }

  @Test func `R9 polling goes on after an observer left and came back`() {
    let world = RequestWorld(freshFor: nil, every: .seconds(5))
    var observed: Derived<RequestState<Int>>? = world.observe()
    world.answer("number 1", 1)
    observed = nil
    world.executor.run()
    observed = world.observe()
    world.pass(20)
    #expect(world.server.open == ["number 1"])
    withExtendedLifetime(observed) {}
  }

  @Test func `R9 a prefetched answer is polled once it is observed`() {
    let world = RequestWorld(freshFor: nil, every: .seconds(5))
    world.send(.prefetch(world.number.id(1)))
    world.answer("number 1", 1)
    let observed = world.observe()
    world.pass(20)
    #expect(world.server.open == ["number 1"])
    withExtendedLifetime(observed) {}
  }

  @Test func `R9 a poll that is due in the background waits for the foreground, even if the connection returns`() {
    let world = RequestWorld(freshFor: nil, every: .seconds(5))
    let observed = world.observe()
    world.answer("number 1", 1)
    world.send(.becameInactive)
    world.pass(20)
    world.send(.becameOffline)
    world.send(.becameOnline)
    #expect(world.server.open.isEmpty)
    withExtendedLifetime(observed) {}
  }

  @Test func `an entry that no request fetches is removed after prefetch and refetch`() {
    let world = RequestWorld()
    let unknown = Request<Int, Int>("unknown") { $0 }
    world.send(.prefetch(unknown.id(1)))
    world.send(.refetch(unknown.id(2)))
    world.pass(1_000)
    #expect(world.factory.state.entries.map(\.id.description) == [])
  }

  @Test func `an entry of a stream that is prefetched without an observer is removed`() {
    let executor = ManualExecutor()
    let clock = TestClock()
    let stream = Request<Int, Int>(streaming: "stream") { _ in AsyncStream<Int> { $0.finish() } }
    let factory = make(stream, clock: clock, executor: executor)
    factory.rootStore().dispatch(.prefetch(stream.id(1)))
    executor.run()
    clock.advance(by: .seconds(1_000))
    executor.run()
    #expect(factory.state.entries.count == 0)
  }

  struct City: Codable, Equatable, Identifiable, Sendable { let id: Int }
  struct Person: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var friend = 0
    var age = 0
  }

  @Test func `records of an answer that isn't kept are removed`() {
    let executor = ManualExecutor()
    let clock = TestClock()
    let server = Server()
    let person = Request<Int, Person>("person") { id in Person(id: id) }
    let names = Request<Int, [Person]>("names", freshFor: nil) { id in [Person(id: try await server.call("names"))] }
      .normalized { RequestAnswer($0.map(\.id)).providing(person, $0) }
    let rename = Change<Int, Int>(
      "rename",
      optimistic: { _ in [names.patch(1) { $0.append(99) }] },
      send: { _, _ in 0 }
    )
    let factory = make(person, names, rename, clock: clock, executor: executor)
    func answer(_ id: Int) {
      server.answer("names", id)
      executor.run()
    }
    var observed = factory.rootStore().request(names, 1)
    executor.run()
    answer(1)
    factory.rootStore().dispatch(.refetch(names.id(1)))
    executor.run()
    factory.rootStore().dispatch(rename.action(1))
    executor.run()
    answer(2)  // From before the change, so it isn't shown.
    answer(3)
    observed = nil
    executor.run()
    expectRemoval(of: factory, clock, executor)
    withExtendedLifetime(observed) {}
  }

  @Test func `an entry that was fetched with records of its own, and is then provided as a record, releases them`() {
    let executor = ManualExecutor()
    let clock = TestClock()
    let city = Request<Int, City>("city") { City(id: $0) }
    let person = Request<Int, Person>("person") { Person(id: $0, friend: 7) }
      .normalized { RequestAnswer($0).providing(city, [City(id: 7)]) }
    let list = Request<Int, [Person]>("list") { _ in [Person(id: 1)] }
      .normalized { RequestAnswer($0.map(\.id)).providing(person, $0) }
    let factory = make(city, person, list, clock: clock, executor: executor)
    var one = factory.rootStore().request(person, 1)
    executor.run()
    var two = factory.rootStore().request(list, 1)
    executor.run()
    (one, two) = (nil, nil)
    executor.run()
    expectRemoval(of: factory, clock, executor)
    withExtendedLifetime((one, two)) {}
  }

  @Test func `records that provide each other are removed`() {
    let executor = ManualExecutor()
    let clock = TestClock()
    let plain = Request<Int, Person>("person") { Person(id: $0, friend: 3 - $0) }
    let person = plain.normalized { RequestAnswer($0).providing(plain, [Person(id: $0.friend, friend: $0.id)]) }
    let factory = make(person, clock: clock, executor: executor)
    var one = factory.rootStore().request(person, 1)
    executor.run()
    var two = factory.rootStore().request(person, 2)
    executor.run()
    (one, two) = (nil, nil)
    executor.run()
    expectRemoval(of: factory, clock, executor)
    withExtendedLifetime((one, two)) {}
  }

  @Test func `resumed changes nothing a second time`() throws {
    let world = RequestWorld(freshFor: nil)
    let observed = world.store.request(world.names, "A")
    world.executor.run()
    world.answer("names A", 12)
    let stored = try JSONEncoder().encode(world.factory.state)
    let later = RequestWorld(try JSONDecoder().decode(Requests.self, from: stored), freshFor: nil)
    later.send(.resumed(at: .zero))
    for _ in 0..<10 { later.pass(100) }
    #expect(later.factory.state.entries.map(\.id.description) == [])
    withExtendedLifetime(observed) {}
  }

  @Test func `R4 a retried change waits for a change of the same record that is being sent`() {
    let world = RequestWorld(freshFor: nil)
    world.send(world.add.action(.init(amount: 1)))
    world.fail("add 1")
    let failed = world.factory.state.changes.first!.id
    world.send(world.add.action(.init(amount: 2)))
    world.send(.retryChange(failed))
    #expect(world.server.open == ["add 2"])
  }

  @Test func `R4 an answer from before a confirmed change isn't shown, even if it is the first`() {
    let world = RequestWorld(freshFor: nil)
    let observed = world.observe()
    world.send(world.add.action(.init(amount: 5)))
    world.answer("add 5", 0)
    world.answer("number 1", 10)
    #expect(observed.value.value == nil || observed.value.value == 15)
  }

  @Test func `one value that JSON can't hold doesn't keep the rest of the state from being stored`() throws {
    let executor = ManualExecutor()
    let ratio = Request<Int, Double>("ratio") { $0 == 1 ? .infinity : 2 }
    let factory = make(ratio, executor: executor)
    let observed = (1...2).map { factory.rootStore().request(ratio, $0) }
    executor.run()
    let stored = try JSONEncoder().encode(factory.state)
    let decoded = try JSONDecoder().decode(Requests.self, from: stored)
    #expect(decoded.entries.contains { $0.id == ratio.id(2) && $0.answer != nil })
    withExtendedLifetime(observed) {}
  }

  @Test func `one stored entry of another form doesn't lose the others`() throws {
    let world = RequestWorld(freshFor: nil)
    let observed = (world.observe(1), world.observe(2))
    world.answer("number 1", 1)
    world.answer("number 2", 2)
    var stored = String(decoding: try JSONEncoder().encode(world.factory.state), as: UTF8.self)
    stored = stored.replacingOccurrences(of: "\"answer\":\"1\"", with: "\"answer\":1")
    let decoded = try JSONDecoder().decode(Requests.self, from: Data(stored.utf8))
    #expect(decoded.entries.contains { $0.id == world.number.id(2) && $0.answer != nil })
    withExtendedLifetime(observed) {}
  }

  @Test func `a page that was wanted at the end of a list isn't fetched by a later refetch`() {
    let executor = ManualExecutor()
    let server = Server()
    let list = Request<NoValue, Pages<Int, Int>>(
      pages: "list",
      first: 0,
      next: { $0 == 0 ? nil : $0 },
      freshFor: nil,
      retries: 0,
      fetch: { _, cursor in try await server.call("page \(cursor)") }
    )
    let factory = make(list, executor: executor)
    let id = list.id(NoValue())
    let observed = factory.rootStore().request(list, NoValue())
    executor.run()
    factory.rootStore().dispatch(.fetchPage(id, .next))
    executor.run()
    server.answer("page 0", 0)  // There is no next page.
    executor.run()
    factory.rootStore().dispatch(.refetch(id))
    executor.run()
    server.answer("page 0", 1)  // Now there is one, but no observer wants it.
    executor.run()
    #expect((factory.state.entries[id]?.duePages, server.open) == ([], []))
    withExtendedLifetime(observed) {}
  }

  @Test func `a wanted page isn't lost when the page before it is fetched again`() {
    let world = RequestWorld(freshFor: nil)
    let id = world.list.id(NoValue())
    let list = world.list
    let executor = ManualExecutor()
    let server = world.server
    let touch = Change<Int, Int>("touch", optimistic: { _ in [list.patch(NoValue()) { _ in }] }, send: { _, _ in 0 })
    let factory = make(list, touch, executor: executor)
    func answer(_ page: Int) {
      server.answer("page \(page)", 0)
      executor.run()
    }
    let observed = factory.rootStore().request(list, NoValue())!
    executor.run()
    answer(10)
    factory.rootStore().dispatch(.fetchPage(id, .next))
    factory.rootStore().dispatch(.fetchPage(id, .previous))
    factory.rootStore().dispatch(touch.action(1))
    executor.run()
    answer(11)  // From before the change: fetched again.
    for _ in 0..<6 { for page in 8...12 { answer(page) } }
    #expect(observed.value.value?.pages.map { $0[0] } == [9, 10, 11])
  }

  @Test func `invalidations of other tags don't grow the state of a stream`() {
    let executor = ManualExecutor()
    let stream = Request<Int, Int>(streaming: "stream") { _ in AsyncStream<Int> { $0.yield(1) } }
    let factory = make(stream, executor: executor)
    let observed = factory.rootStore().request(stream, 1)
    executor.run()
    let before = "\(factory.state)".count
    for number in 0..<1_000 { factory.rootStore().dispatch(.invalidate([RequestTag("other", number)])) }
    executor.run()
    var text = ""
    dump(factory.state, to: &text)
    #expect(text.components(separatedBy: "\"other\"").count < 100)
    withExtendedLifetime((observed, before)) {}
  }

  @Test func `P6 a decoded action with the largest time doesn't stop the program`() throws {
    let world = RequestWorld()
    let text = "{\"released\":{\"observer\":1,\"at\":[\(Int64.max),\(UInt64.max)]}}"
    let action = try JSONDecoder().decode(RequestAction.self, from: Data(text.utf8))
    world.send(.prefetch(world.number.id(1)))
    world.answer("number 1", 1)
    let observed = world.observe()
    world.answer("number 1", 1)
    world.send(action)
    world.pass(100)
    #expect(world.factory.state.entries.count == 1)
    withExtendedLifetime(observed) {}
  }

  @Test(arguments: [#","answer":{"value":"no number"}"#, ""])
  func `P6 times without an answer don't stop the program`(answer: String) throws {
    let text = """
      {"entries":{"x":{"id":{"name":"number","argument":"1"},"isStale":false,"isWaiting":false,"isPollDue":false,"keepers":0,
      "staleAt":[0,5],"pollAt":[0,5],"removeAt":[0,5]\(answer)}},"observers":{},"fetches":{},"changes":[],"isOnline":false,
      "isActive":true,"lastFetch":1,"lastRound":1,"mustResume":false}
      """
    let world = RequestWorld(try JSONDecoder().decode(Requests.self, from: Data(text.utf8)))
    let observed = world.observe()
    world.pass(20)
    #expect((observed.value.value, world.factory.state.entries.count) == (nil, 1))
  }

  /// A cache in the form of a recording, with one entry and perhaps its fetch.
  private func recorded(keepers: Int = 0, last: Int = 1, withFetch: Bool = true) throws -> Requests {
    let id = "{\"name\":\"gone\",\"argument\":\"1\"}"
    let job = """
      {"status":{"inProgress":{"attempt":1}},"maxAttempts":1,"attemptsBegun":1,
      "backoff":{"initial":[0,0],"step":[0,0],"factor":1,"maximum":[0,0],"jitter":0,"seed":0}}
      """
    let fetch = """
      "a":{"id":{"number":1,"entry":\(id)},"round":1,"pageCount":1,"isPrefetch":true,"isOutdated":false,"invalidated":[],
      "confirmed":[],"job":\(job)}
      """
    let entry = """
      "x":{"id":\(id),"isStale":false,"isWaiting":false,"isPollDue":false,"keepers":\(keepers),"fetch":1}
      """
    let text = """
      {"entries":{\(entry)},"observers":{},"changes":[],"isOnline":true,"isActive":true,"lastFetch":\(last),
      "lastRound":\(last),"mustResume":false,"fetches":{\(withFetch ? fetch : "")}}
      """
    return try JSONDecoder().decode(Requests.self, from: Data(text.utf8))
  }

  @Test(arguments: [true, false])
  func `P6 a stored file that claims to be a recording doesn't leave a fetch forever`(withFetch: Bool) throws {
    let world = RequestWorld(try recorded(withFetch: withFetch))
    #expect(world.factory.state.entries.allSatisfy { $0.fetch == nil })
  }

  @Test(arguments: [Int.min, .max])
  func `P6 a stored file with the largest numbers doesn't stop the program`(number: Int) throws {
    let world = RequestWorld(try recorded(keepers: number, last: number))
    let list = world.store.request(world.names, "a")
    world.executor.run()
    world.answer("names a", 12)
    #expect(list?.value.value == [1, 2])
    world.send(.refetch(world.names.id("a")))
    world.answer("names a", 3)
    #expect(list?.value.value == [3])
  }

  @Test func `P6 a decoded action with a time long ago doesn't stop a real clock`() async throws {
    let request = Request<Int, Int>("number", freshFor: nil, keptFor: .zero) { $0 }
    let factory = StoreFactory(initialState: Requests(), feature: Requests.feature(request))
    let observed = RequestAction.observed(observer: 77, request.id(1), at: .zero)
    await factory.dispatchAndWait(observed)
    let text = "{\"released\":{\"observer\":77,\"at\":[\(Int64.min),0]}}"
    await factory.dispatchAndWait(try JSONDecoder().decode(RequestAction.self, from: Data(text.utf8)))
    while !factory.state.entries.isEmpty { await Task.yield() }
  }

  @Test func `a change that is decoded while it is sent is sent`() throws {
    let world = RequestWorld()
    world.send(world.add.action(.init(amount: 1)))
    let change = try #require(world.factory.state.changes.first)
    let later = RequestWorld()
    later.send(.changed(change))
    #expect(later.server.open == ["add 1"])
  }

  @Test func `retrying a change that the cache doesn't know keeps its failure`() throws {
    let world = RequestWorld()
    let unknown = Change<Int, Int>("unknown") { number, _ in number }
    world.send(unknown.action(1))
    let change = try #require(world.factory.state.changes.first)
    world.send(.retryChange(change.id))
    #expect(world.factory.state.changes.first?.failure == change.failure)
  }

  @Test func `P6 a decoded state with a change twice doesn't stop the program`() throws {
    let world = RequestWorld()
    world.send(.becameOffline)
    world.send(world.add.action(.init(amount: 1)))
    var stored = String(decoding: try JSONEncoder().encode(world.factory.state.changes), as: UTF8.self)
    stored.removeFirst()
    stored.removeLast()
    let text = "{\"entries\":[],\"changes\":[\(stored),\(stored)]}"
    let later = RequestWorld(try JSONDecoder().decode(Requests.self, from: Data(text.utf8)))
    later.answer("add 1", 1)
    later.answer("add 1", 1)
    later.pass(10)
    #expect(later.factory.state.changes.isEmpty)
  }

  struct App: Equatable, Sendable { var requests = Requests() }
  enum AppAction: Equatable, Sendable {
    case requests(RequestAction)
    case reset
    var requests: RequestAction? { if case .requests(let action) = self { action } else { nil } }
  }

  @Test func `any order of releases is harmless`() {
    let world = RequestWorld()
    let executor = ManualExecutor()
    var factory: StoreFactory<Requests, RequestAction>? = make(world.number, executor: executor)
    var other: StoreFactory<Int?, Int>? = StoreFactory(initialState: 1, settings: TreeSettings(executor: executor)) {
      (state: inout Int?, action: Int) in state = action
    }
    let argument = other!.rootStore().derived { $0 }!
    let store = factory!.rootStore()
    var following = store.request(world.number, following: argument)
    var observed = store.request(world.number, 1)
    var subscription = observed?.observe { _ in }
    executor.run()
    other!.rootStore().dispatch(2)
    executor.run()
    other = nil
    executor.run()
    #expect(factory!.state.observerCount(of: world.number.id(2)) == 1)
    let dead = store.request(world.number, following: argument)
    executor.run()
    factory = nil
    executor.run()
    observed = nil
    following = nil
    subscription = nil
    executor.run()
    withExtendedLifetime((dead, observed, following, subscription)) {}
  }

  /// Returns how much longer four times the work takes: about 4 if the cost is linear, 16 if it is quadratic.
  func growth(_ count: Int, _ work: (Int) throws -> Duration) rethrows -> Double {
    _ = try work(count / 4)
    return try work(4 * count) / work(count)
  }

  @Test func `an answer may be nil, also over a restart`() throws {
    let executor = ManualExecutor()
    let found = Request<Int, Int?>("found", freshFor: nil) { $0 == 1 ? nil : $0 }
    let factory = make(found, executor: executor)
    let observed = factory.rootStore().request(found, 1)!
    executor.run()
    #expect(observed.value.phase == .loaded(nil))
    let stored = try JSONEncoder().encode(factory.state)
    let later = make(found, cache: try JSONDecoder().decode(Requests.self, from: stored), executor: executor)
    let restored = later.rootStore().request(found, 1)!
    executor.run()
    #expect(restored.value.phase == .loaded(nil))
  }
}
